import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import type { FastifyRequest } from "fastify";
import type { RequestTracer } from "./request-tracer.ts";

/**
 * A span for each request, by the semantic conventions for HTTP servers. Its parent is that of `traceparent`; the
 * propagator ignores an invalid one. There is no `url.path`, because an address may contain secret identifiers.
 */
export function tracedRequests(tracer: () => Tracer): RequestTracer {
  const spans = new WeakMap<FastifyRequest, Span>();
  return {
    begin: (request, reply, { id, method, path }) => {
      const span = tracer().startSpan(
        `${method.toUpperCase()} ${path}`,
        {
          kind: SpanKind.SERVER,
          attributes: {
            "http.request.method": method.toUpperCase(),
            "http.route": path,
            "url.scheme": request.protocol,
            "security_platform.operation_id": id,
            "security_platform.trace_id": request.id,
          },
        },
        propagation.extract(context.active(), request.headers),
      );
      spans.set(request, span);
      reply.raw.once("close", () => {
        const { statusCode, writableFinished } = reply.raw;
        if (writableFinished) span.setAttribute("http.response.status_code", statusCode);
        else span.setAttribute("error.type", "aborted");
        if (writableFinished && statusCode >= 500) {
          span.setAttribute("error.type", String(statusCode));
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      });
    },
    within: (request, work) => {
      const span = spans.get(request);
      return span === undefined
        ? work()
        : context.with(trace.setSpan(context.active(), span), work);
    },
  };
}
