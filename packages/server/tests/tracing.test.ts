import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { activeTracing } from "../src/host/tracing/active-tracing.ts";
import { startTestApi, type TestApi } from "./support/api.ts";
import { webhook } from "./support/case-configuration.ts";
import { escalationSuite } from "./support/case-escalations.ts";
import { forEachEngine } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";

const spans = new InMemorySpanExporter();
const provider = new TracerProvider({
  spanProcessors: [new SimpleSpanProcessor({ exporter: spans })],
});

function register(): void {
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
}

function unregister(): void {
  for (const api of [trace, context, propagation]) api.disable();
}

const parentTrace = "0af7651916cd43dd8448eb211c80319c";
const parentSpan = "b7ad6b7169203331";

test("without an SDK, nothing is traced", async () => {
  expect(await activeTracing()).toBeUndefined();
  const api = await startTestApi({ databaseUrl: "sqlite::memory:" });
  await api.request("GET", "/iocs/queries/platforms/v1");
  expect(spans.getFinishedSpans()).toEqual([]);
});

describe("with an SDK", () => {
  beforeAll(register);
  afterAll(unregister);
  beforeEach(() => spans.reset());

  const named = (name: string): readonly ReadableSpan[] =>
    spans.getFinishedSpans().filter((span) => span.name === name);

  /** The span of one request, which ends after the response. */
  async function spanOf(
    api: TestApi,
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ReadableSpan> {
    spans.reset();
    await api.request("GET", path, { headers });
    const name = `GET ${path.split("?", 1)[0]}`;
    await expect.poll(() => named(name)).toHaveLength(1);
    return named(name)[0] as ReadableSpan;
  }

  forEachEngine((engine) => {
    test("a request is a span of the caller's trace, and its statements are spans below it", async () => {
      const api = await startTestApi({ databaseUrl: await engine.url() });
      const path = "/iocs/combined/indicator/v1";
      const traceparent = `00-${parentTrace}-${parentSpan}-01`;
      const span = await spanOf(api, `${path}?filter=value:'hush.example'`, { traceparent });
      expect(span.spanContext().traceId).toBe(parentTrace);
      expect(span.parentSpanContext?.spanId).toBe(parentSpan);
      expect(span.kind).toBe(SpanKind.SERVER);
      expect(span.attributes).toMatchObject({
        "http.request.method": "GET",
        "http.route": path,
        "http.response.status_code": 200,
        "url.scheme": "http",
      });
      const statements = named("SELECT");
      expect(statements.length).toBeGreaterThan(0);
      for (const statement of statements) {
        const { attributes, parentSpanContext } = statement;
        expect(statement.spanContext().traceId).toBe(parentTrace);
        expect(parentSpanContext?.spanId).toBe(span.spanContext().spanId);
        expect(attributes["db.system.name"]).toBe(
          engine.name === "postgres" ? "postgresql" : "sqlite",
        );
        expect(attributes["db.query.text"]).toMatch(/^select .*\?/);
      }
      const written = JSON.stringify(
        spans.getFinishedSpans().map(({ name, attributes }) => [name, attributes]),
      );
      expect(written).not.toContain("hush");
      expect(written).not.toContain(api.tenant.cid);
    });

    test("transactions that share a commit stay in the traces of their requests", async () => {
      const api = await startTestApi({ databaseUrl: await engine.url() });
      const traces = ["1", "2", "3"].map((digit) => digit.repeat(32));
      const create = async (traceId: string) => {
        const { status } = await api.request("POST", "/iocs/entities/indicators/v1", {
          headers: { traceparent: `00-${traceId}-${parentSpan}-01` },
          body: {
            indicators: [
              {
                type: "domain",
                value: `a${traceId.slice(0, 8)}.example`,
                action: "detect",
                severity: "low",
                platforms: ["linux"],
                applied_globally: true,
              },
            ],
          },
        });
        expect(status).toBe(201);
      };
      spans.reset();
      await Promise.all(traces.map(create));
      const inserts = named("INSERT").map((span) => span.spanContext().traceId);
      const count = (traceId: string) => inserts.filter((each) => each === traceId).length;
      expect(count(traces[0] ?? "")).toBeGreaterThan(0);
      expect(traces.map(count)).toEqual(Array(3).fill(count(traces[0] ?? "")));
    });
  });

  test.each([
    "",
    "garbage",
    `00-${"0".repeat(32)}-${parentSpan}-01`,
    `00-${parentTrace}-${"0".repeat(16)}-01`,
    `ff-${parentTrace}-${parentSpan}-01`,
    `00-${parentTrace.toUpperCase()}-${parentSpan}`,
    `00-${parentTrace}-${parentSpan}-01-more`,
  ])("an invalid traceparent is ignored: %j", async (traceparent) => {
    const api = await startTestApi({ databaseUrl: "sqlite::memory:" });
    const span = await spanOf(api, "/iocs/queries/platforms/v1", { traceparent });
    expect(span.attributes["http.response.status_code"]).toBe(200);
    expect(span.parentSpanContext).toBeUndefined();
    expect(span.spanContext().traceId).not.toBe(parentTrace);
  });

  test("a refused request has a span too, which is no error", async () => {
    const api = await startTestApi({ databaseUrl: "sqlite::memory:" });
    spans.reset();
    await api.request("GET", "/iocs/queries/platforms/v1", { token: null });
    await expect.poll(() => named("GET /iocs/queries/platforms/v1")).toHaveLength(1);
    const [span] = named("GET /iocs/queries/platforms/v1");
    expect(span?.attributes["http.response.status_code"]).toBe(401);
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
  });
});

describe("deliveries", () => {
  // Before the suite's server starts.
  beforeAll(register);
  afterAll(unregister);

  forEachEngine((engine) => {
    const { receiver, open } = escalationSuite(engine);

    test("a delivery is a part of the trace of its job, and its receiver gets the context", async () => {
      const work = await open();
      const { template } = await work.template([webhook(`${receiver().url}/secret-path`)], 0);
      await work.case({ template: { id: template.id } });
      work.api.clock.advance(minutes(16));
      spans.reset();
      await work.api.work();
      const ended = spans.getFinishedSpans();
      const post = ended.find(({ name }) => name === "POST");
      const [version, traceId, spanId] = String(
        receiver().messages[0]?.headers["traceparent"],
      ).split("-");
      expect(version).toBe("00");
      expect(post?.spanContext()).toMatchObject({ traceId, spanId });
      expect(post?.attributes).toMatchObject({
        "server.address": "127.0.0.1",
        "http.response.status_code": 200,
      });
      const job = ended.find(
        (span) => span.spanContext().spanId === post?.parentSpanContext?.spanId,
      );
      expect(job).toMatchObject({ name: expect.stringMatching(/^job /), kind: SpanKind.CONSUMER });
      expect(job?.parentSpanContext).toBeUndefined();
      expect(JSON.stringify(ended.map(({ attributes }) => attributes))).not.toContain(
        "secret-path",
      );
    });
  });
});
