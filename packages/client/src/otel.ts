/** OpenTelemetry for the requests of a client. It needs the package `@opentelemetry/api`. */
import {
  context,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  ValueType,
  type Attributes,
  type Histogram,
  type MeterProvider,
  type Span,
} from "@opentelemetry/api";
import type { EndEvent, Hooks, RequestEvent } from "./sending/hooks.ts";

const scope = "@security-platform/client";

/**
 * Hooks that report each request by the semantic conventions for HTTP clients: a span, with the span that is active
 * at the call as its parent, and the metric `http.client.request.duration`. The request carries the context of the
 * span, by the global propagator. Each attempt of a call has a span of its own, with `http.request.resend_count`.
 * `url.full` has no query, and path parameters in braces, because they may be secret.
 *
 * The given hooks are called as well, each after the span has begun and before it ends.
 */
export function openTelemetry(hooks: Hooks = {}): Hooks {
  const spans = new Map<string, Span>();
  const keyOf = ({ call, attempt }: RequestEvent): string => `${call} ${attempt}`;
  const histogram = durations();
  // Each hook is forwarded, because a spread has no methods of a class.
  return {
    onRequest: (event) => {
      const span = trace.getTracer(scope).startSpan(`${event.method} ${templateOf(event)}`, {
        kind: SpanKind.CLIENT,
        attributes: { ...attributesOf(event), ...spanAttributesOf(event) },
      });
      spans.set(keyOf(event), span);
      const headers: Record<string, string> = {};
      propagation.inject(trace.setSpan(context.active(), span), headers);
      return { ...headers, ...hooks.onRequest?.(event) };
    },
    onResponse: (event) => {
      const { traceId } = event;
      if (traceId !== undefined) {
        spans.get(keyOf(event))?.setAttribute("security_platform.trace_id", traceId);
      }
      hooks.onResponse?.(event);
    },
    onEnd: (event) => {
      try {
        hooks.onEnd?.(event);
      } finally {
        const outcome = outcomeOf(event);
        const span = spans.get(keyOf(event));
        spans.delete(keyOf(event));
        span?.setAttributes(outcome);
        if (outcome["error.type"] !== undefined) span?.setStatus(statusOf(event));
        span?.end();
        const attributes = { ...attributesOf(event), ...outcome };
        histogram().record(event.milliseconds / 1_000, attributes);
      }
    },
    onRetry: (event) => hooks.onRetry?.(event),
    onError: (event) => hooks.onError?.(event),
  } satisfies Required<Hooks>;
}

/** The path with its parameters in braces: few different values. A link has no such path. */
const templateOf = ({ operationId, path }: RequestEvent): string =>
  operationId === "download" ? operationId : path;

/** Attributes of spans and of metrics, so each has few different values. */
function attributesOf(event: RequestEvent): Attributes {
  const { hostname, port, protocol } = new URL(urlOf(event));
  return {
    "http.request.method": event.method,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    "url.scheme": protocol.slice(0, -1),
    "url.template": templateOf(event),
  };
}

const spanAttributesOf = (event: RequestEvent): Attributes => ({
  "url.full": urlOf(event),
  "security_platform.operation_id": event.operationId,
  ...(event.attempt > 1 ? { "http.request.resend_count": event.attempt - 1 } : {}),
});

/** The path of a link is its absolute URL. */
const urlOf = ({ operationId, baseUrl, path }: RequestEvent): string =>
  operationId === "download" ? path : baseUrl + path;

/** A status of 400 or more is an error of a client span. */
function outcomeOf({ status, error }: EndEvent): Attributes {
  const type =
    status !== undefined && status >= 400
      ? String(status)
      : error instanceof Error
        ? error.name
        : error !== undefined && "_OTHER";
  return {
    ...(status === undefined ? {} : { "http.response.status_code": status }),
    ...(type === false ? {} : { "error.type": type }),
  };
}

/** The status code explains itself; an error of the network does not. */
const statusOf = ({ status, error }: EndEvent) => ({
  code: SpanStatusCode.ERROR,
  ...(error instanceof Error && status === undefined ? { message: error.message } : {}),
});

/** The histogram of the global meter provider, which a program may register after it made its clients. */
function durations(): () => Histogram {
  let current: MeterProvider | undefined;
  let histogram: Histogram | undefined;
  return () => {
    const provider = metrics.getMeterProvider();
    if (histogram === undefined || provider !== current) {
      current = provider;
      histogram = provider.getMeter(scope).createHistogram("http.client.request.duration", {
        description: "Duration of HTTP client requests.",
        unit: "s",
        valueType: ValueType.DOUBLE,
        advice: { explicitBucketBoundaries: boundaries },
      });
    }
    return histogram;
  };
}

/** Bounds of the histogram in seconds, as the semantic conventions recommend. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
