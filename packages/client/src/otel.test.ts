import { context, metrics, propagation, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "./index.ts";
import { openTelemetry } from "./otel.ts";
import { CountingHooks } from "../tests/support/counting-hooks.ts";
import { clientId, clientSecret, failure, start } from "../tests/support/scripted-client.ts";
import { envelope } from "../tests/support/scripted-server.ts";
import { TestClock } from "../tests/support/test-clock.ts";

const spans = new InMemorySpanExporter();
const points = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: points });
const tracerProvider = new TracerProvider({
  spanProcessors: [new SimpleSpanProcessor({ exporter: spans })],
});
const meterProvider = new MeterProvider({ readers: [reader] });

beforeAll(() => {
  trace.setGlobalTracerProvider(tracerProvider);
  metrics.setGlobalMeterProvider(meterProvider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});

afterAll(async () => {
  await meterProvider.shutdown();
  for (const api of [trace, metrics, context, propagation]) api.disable();
});

beforeEach(() => spans.reset());

const listing = "GET /iocs/queries/platforms/v1";
const ended = (name = listing): readonly ReadableSpan[] =>
  spans.getFinishedSpans().filter((span) => span.name === name);

const url = "https://api.test/prefix/iocs/queries/platforms/v1";
const expected = {
  "http.request.method": "GET",
  "server.address": "api.test",
  "server.port": 443,
  "url.scheme": "https",
  "url.template": "/iocs/queries/platforms/v1",
};

describe("a request", () => {
  test("is a span for each attempt, below the active span, whose context it carries", async () => {
    const { client, server } = start({ hooks: openTelemetry() });
    server.answer = () =>
      server.calls.length === 1
        ? envelope(503, "overloaded")
        : { body: [], headers: { "x-trace-id": "trace-2" } };
    const tracer = trace.getTracer("test");
    const parent = await tracer.startActiveSpan("work", async (span) => {
      await client.ioc.listPlatforms({ limit: 7 });
      span.end();
      return span.spanContext();
    });
    const [first, second, ...others] = ended();
    expect(others).toEqual([]);
    const operation = { "security_platform.operation_id": "platform.query.v1" };
    expect(first?.attributes).toEqual({
      ...expected,
      ...operation,
      "url.full": url,
      "http.response.status_code": 503,
      "error.type": "503",
      "security_platform.trace_id": expect.any(String) as unknown,
    });
    expect(first?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(second?.attributes).toEqual({
      ...expected,
      ...operation,
      "url.full": url,
      "http.request.resend_count": 1,
      "http.response.status_code": 200,
      "security_platform.trace_id": "trace-2",
    });
    expect(second?.status).toEqual({ code: SpanStatusCode.UNSET });
    for (const [index, span] of [first, second].entries()) {
      expect(span?.parentSpanContext?.spanId).toBe(parent.spanId);
      const { traceId = "", spanId = "" } = span?.spanContext() ?? {};
      expect(traceId).toBe(parent.traceId);
      const header = server.calls[index]?.headers.get("traceparent");
      expect(header).toBe(`00-${traceId}-${spanId}-01`);
    }
    expect(ended("POST /oauth2/token")).toHaveLength(1);
  });

  test("without a response is a span with the error", async () => {
    const { client, server } = start({ hooks: openTelemetry(), retries: 0 });
    server.answer = () => {
      throw new TypeError("fetch failed", { cause: new Error("socket hang up") });
    };
    const error = await failure(client.ioc.listPlatforms());
    const [span] = ended();
    expect(span?.attributes).toMatchObject({ "error.type": "NetworkError" });
    expect(span?.attributes).not.toHaveProperty("http.response.status_code");
    expect(span?.status).toEqual({
      code: SpanStatusCode.ERROR,
      message: (error as Error).message,
    });
  });

  test("that is aborted is a span that ends", async () => {
    const { client, server } = start({ hooks: openTelemetry() });
    const controller = new AbortController();
    server.answer = () => {
      controller.abort();
      return { body: [] };
    };
    await failure(client.ioc.listPlatforms({}, { signal: controller.signal }));
    expect(ended().map(({ attributes }) => attributes["error.type"])).toEqual(["AbortError"]);
  });

  test("with an answer of something else is an error, and no parameter is reported", async () => {
    const { client, server } = start({ hooks: openTelemetry() });
    server.answer = () => ({ body: "<html>" });
    const id = "5b2f1f9e-0000-4000-8000-000000000000";
    await failure(client.container.getScanReport({ uuid: id }));
    await failure(client.ioc.listIndicators({ filter: "value:'secret.example.com'" }));
    const all = spans.getFinishedSpans();
    expect(all.map(({ attributes }) => attributes["url.full"])).toContain(
      "https://api.test/prefix/image-assessment/entities/reports/v2/{uuid}",
    );
    const types = all.map(({ attributes }) => attributes["error.type"]);
    expect(types).toContain("UnexpectedResponseError");
    expect(JSON.stringify(all.map(({ name, attributes }) => [name, attributes]))).not.toMatch(
      /5b2f1f9e|secret/,
    );
  });

  test("that follows a link is a span without its query", async () => {
    const { client, server } = start({ hooks: openTelemetry() });
    server.answer = () => ({ body: "content", headers: { "content-type": "text/plain" } });
    await client.download("https://api.test/files/a.bin?signature=secret");
    const [span] = ended("GET download");
    expect(span?.attributes).toMatchObject({
      "url.full": "https://api.test/files/a.bin",
      "url.template": "download",
    });
  });

  test("is not mixed up with one of another client that shares the hooks", async () => {
    const hooks = openTelemetry();
    const { client, server } = start({ hooks });
    const other = createClient({
      baseUrl: "http://other.test:8080",
      clientId,
      clientSecret,
      hooks,
      fetch: server.fetch,
      clock: new TestClock(),
    });
    await Promise.all([client.ioc.listPlatforms(), other.ioc.listPlatforms()]);
    const hosts = ended().map(({ attributes }) => attributes["server.address"]);
    expect(hosts.toSorted()).toEqual(["api.test", "other.test"]);
    expect(
      ended().find(({ attributes }) => attributes["server.address"] === "other.test")?.attributes,
    ).toMatchObject({ "server.port": 8080, "url.scheme": "http" });
  });

  test("calls other hooks as well, also methods of a class", async () => {
    const other = new CountingHooks({ "x-team": "blue" });
    const { client, server } = start({ hooks: openTelemetry(other), retries: 1 });
    server.answer = () => envelope(503, "overloaded");
    await client.ioc.listPlatforms.try();
    const attempt = ["request", "response", "end"];
    expect(other.events).toEqual([...attempt, ...attempt, "retry", ...attempt, "error"]);
    expect(server.calls[0]?.headers.get("x-team")).toBe("blue");
  });
});

test("the duration of requests is a metric, with attributes of few values", async () => {
  const { client, server, clock } = start({ hooks: openTelemetry() });
  await reader.forceFlush();
  points.reset();
  server.answer = () => {
    clock.advance(40);
    return { body: [] };
  };
  await client.ioc.listPlatforms();
  await client.ioc.listPlatforms();
  await reader.forceFlush();
  const [metric] = points.getMetrics()[0]?.scopeMetrics[0]?.metrics ?? [];
  expect(metric?.descriptor).toMatchObject({ name: "http.client.request.duration", unit: "s" });
  const own = metric?.dataPoints.filter(
    ({ attributes }) => attributes["url.template"] === "/iocs/queries/platforms/v1",
  );
  expect(own).toMatchObject([
    {
      attributes: { ...expected, "http.response.status_code": 200 },
      value: { count: 2, sum: 0.08 },
    },
  ]);
  expect(Object.keys(own?.[0]?.attributes ?? {})).not.toContain("url.full");
});
