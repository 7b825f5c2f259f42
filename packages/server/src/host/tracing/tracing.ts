import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from "@opentelemetry/api";
import type { RequestTracer } from "../../http/requests/request-tracer.ts";
import { tracedRequests } from "../../http/requests/traced-requests.ts";
import type { JobKind } from "../../jobs/job-kind.ts";
import type { Outgoing } from "../../outgoing/outgoing.ts";
import type { Database } from "../../store/index.ts";
import { tracedDatabase } from "./traced-database.ts";

const tracerName = "@security-platform/server";

/** What adds spans to the parts of a server. */
export interface Tracing {
  readonly requests: RequestTracer;
  readonly job: (kind: JobKind) => JobKind;
  /** Requests to other servers carry `traceparent`. */
  readonly outgoing: (outgoing: Outgoing) => Outgoing;
  readonly database: (database: Database) => Database;
}

const tracer = () => trace.getTracer(tracerName);

/** Where the spans of this server go. */
export const usedProvider = (): object => trace.getTracerProvider();

export const tracing = (): Tracing => ({
  requests: tracedRequests(tracer),
  job: tracedJob,
  outgoing: tracedOutgoing,
  database: tracedDatabase(inSpan),
});

/** A span for each attempt of a job: the first of a trace. */
const tracedJob = (kind: JobKind): JobKind => ({
  ...kind,
  run: (job) =>
    inSpan(
      `job ${kind.name}`,
      SpanKind.CONSUMER,
      {
        "security_platform.job.kind": kind.name,
        "security_platform.job.id": job.id,
        "security_platform.job.attempt": job.attempt,
      },
      () => kind.run(job),
    ),
});

function tracedOutgoing(outgoing: Outgoing): Outgoing {
  const sending = <Query extends { readonly headers: Readonly<Record<string, string>> }, Result>(
    method: string,
    url: string,
    query: Query,
    send: (query: Query) => Promise<Result>,
    statusOf: (result: Result) => number,
  ): Promise<Result> =>
    inSpan(
      method,
      SpanKind.CLIENT,
      { "http.request.method": method, ...serverOf(url) },
      async (span) => {
        const headers: Record<string, string> = {};
        propagation.inject(context.active(), headers);
        const result = await send({ ...query, headers: { ...query.headers, ...headers } });
        const status = statusOf(result);
        span.setAttribute("http.response.status_code", status);
        if (status >= 400) {
          span.setAttribute("error.type", String(status));
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        return result;
      },
    );
  return {
    refusal: (url) => outgoing.refusal(url),
    post: (url, query) =>
      sending(
        "POST",
        url,
        query,
        (sent) => outgoing.post(url, sent),
        (status) => status,
      ),
    get: (url, query) =>
      sending(
        "GET",
        url,
        query,
        (sent) => outgoing.get(url, sent),
        ({ status }) => status,
      ),
    head: (url, query) =>
      sending(
        "HEAD",
        url,
        query,
        (sent) => outgoing.head(url, sent),
        ({ status }) => status,
      ),
    download: (url, query) =>
      sending(
        "GET",
        url,
        query,
        (sent) => outgoing.download(url, sent),
        ({ status }) => status,
      ),
  };
}

/** The path and the query of a webhook are secrets in many systems. */
function serverOf(text: string): Attributes {
  const url = URL.parse(text);
  if (url === null) return {};
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  return { "server.address": url.hostname, "server.port": port };
}

/** Does work in a span, which ends with it. An error becomes that of the span, by its name only. */
async function inSpan<Result>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = tracer().startSpan(name, { kind, attributes });
  try {
    return await context.with(trace.setSpan(context.active(), span), () => work(span));
  } catch (error) {
    span.setAttribute("error.type", error instanceof Error ? error.name : "_OTHER");
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
