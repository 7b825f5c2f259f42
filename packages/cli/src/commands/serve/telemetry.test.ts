import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { commandLine } from "../../testing/command-line.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { silentContext } from "../../testing/silent-context.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { startTelemetry } from "./telemetry.ts";

/** A folder with an SDK that notes what happens to it, and that reports what `sdkReports` lists. */
function folderWithSdk(): string {
  const folder = temporaryFolder();
  const add = (name: string, text: string): void => {
    const place = join(folder, "node_modules", "@opentelemetry", name);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "index.js"), text);
  };
  add(
    "api",
    `exports.DiagLogLevel = { WARN: 50 };
    exports.diag = { setLogger(logger, options) { globalThis.sdkReports = { logger, options }; } };`,
  );
  add(
    "sdk-node",
    `const calls = (globalThis.sdkCalls ??= []);
    exports.NodeSDK = class {
      constructor(options) { calls.push(["new", options]); }
      start() {
        calls.push(["start"]);
        if (globalThis.sdkRefuses) throw new Error("the key is illegal");
        // As an SDK with its own copy of the API does.
        if (globalThis.sdkVersion) globalThis[Symbol.for("opentelemetry.js.api.1")] = { version: globalThis.sdkVersion, trace: {} };
      }
      async shutdown() {
        calls.push(["shutdown"]);
        if (globalThis.sdkHangs) await new Promise(() => {});
        throw new Error("the collector is away");
      }
    };`,
  );
  return folder;
}

interface SdkState {
  sdkHangs?: boolean;
  sdkRefuses?: boolean;
  /** The version of the SDK's own `@opentelemetry/api`. */
  sdkVersion?: string;
  sdkReports?: {
    readonly logger: Record<"error" | "warn" | "info", (...parts: unknown[]) => void>;
    readonly options: unknown;
  };
}

const sdk = globalThis as SdkState;

afterEach(() => {
  delete sdk.sdkHangs;
  delete sdk.sdkReports;
  delete sdk.sdkRefuses;
  delete sdk.sdkVersion;
  Reflect.deleteProperty(globalThis, Symbol.for("opentelemetry.js.api.1"));
});

const calls = (): unknown => {
  const made = (globalThis as { sdkCalls?: unknown[] }).sdkCalls?.splice(0);
  return made ?? [];
};

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

const tracesOnly = { metricReaders: [], logRecordProcessors: [] };

const startIn = (
  environment: Record<string, string>,
  workingFolder: string,
  more: Partial<CliContext> = {},
) =>
  startTelemetry({ logLevel: "info" }, { ...silentContext, environment, workingFolder, ...more });

/** An output, and a function that returns what was logged since its last call. */
function logged() {
  let log = "";
  const lines = () => {
    const found = log.split("\n").filter((line) => line !== "");
    log = "";
    return found.map((line) => JSON.parse(line) as unknown);
  };
  return { stderr: { write: (text: string) => (log += text) }, lines };
}

const loss = (reason: string) => ({ level: "warn", msg: "traces may be lost", reason });

test("the SDK runs from the start to the stop, if a standard variable asks for traces", async () => {
  const workingFolder = folderWithSdk();
  const endSoon = vi.fn();
  const { stderr, lines } = logged();
  const telemetry = await startIn(endpoint, workingFolder, { endSoon, stderr });
  expect(calls()).toEqual([["new", { ...tracesOnly, serviceName: "secplat" }], ["start"]]);
  await telemetry?.stop();
  expect(endSoon).not.toHaveBeenCalled();
  expect(lines()).toMatchObject([loss("the collector is away")]);
  expect(calls()).toEqual([["shutdown"]]);
  const named = { OTEL_TRACES_EXPORTER: "console", OTEL_SERVICE_NAME: "mine" };
  await startIn(named, workingFolder);
  expect(calls()).toEqual([["new", tracesOnly], ["start"]]);
});

test("a stop tries for 1.5 seconds to send the rest", async () => {
  const endSoon = vi.fn();
  const { stderr, lines } = logged();
  const telemetry = await startIn(endpoint, folderWithSdk(), { endSoon, stderr });
  sdk.sdkHangs = true;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = telemetry?.stop();
  await vi.advanceTimersByTimeAsync(1_499);
  expect(endSoon).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  expect(endSoon).toHaveBeenCalledOnce();
  expect(lines()).toMatchObject([
    loss("the collector did not accept the last traces within 1500 ms after the stop"),
  ]);
  calls();
});

test("what the SDK reports is logged, once a minute", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { stderr, lines } = logged();
  await startIn(endpoint, folderWithSdk(), { stderr });
  calls();
  const { logger, options } = sdk.sdkReports ?? {};
  expect(options).toEqual({ logLevel: 50 });
  const refused = JSON.stringify({ stack: "…", message: "connect ECONNREFUSED 127.0.0.1:9" });
  for (const report of [refused, refused, "Dropped 3140 spans", "Dropped 7 spans", "null", "{}"]) {
    logger?.error(report);
    logger?.warn(report);
    logger?.info(report);
  }
  const reasons = ["connect ECONNREFUSED 127.0.0.1:9", "Dropped 3140 spans", "null", "{}"];
  expect(lines()).toMatchObject(reasons.map(loss));
  vi.advanceTimersByTime(60_000);
  logger?.error(refused);
  expect(lines()).toHaveLength(1);
  logger?.warn("Export", "no response", new Error("index out of range"), Buffer.from("{}"));
  expect(lines()).toMatchObject([loss("Export no response index out of range")]);
  delete sdk.sdkReports;
  await startIn({ ...endpoint, OTEL_LOG_LEVEL: "debug" }, folderWithSdk());
  calls();
  expect(sdk.sdkReports).toBeUndefined();
});

test("an SDK that does not start, or that would get no trace, is an error", async () => {
  sdk.sdkRefuses = true;
  await expect(startIn(endpoint, folderWithSdk())).rejects.toThrow(
    "@opentelemetry/sdk-node cannot start: the key is illegal; correct the variables OTEL_…",
  );
  sdk.sdkRefuses = false;
  sdk.sdkVersion = "1.99.0";
  await startIn(endpoint, folderWithSdk());
  sdk.sdkVersion = "1.0.0";
  await expect(startIn(endpoint, folderWithSdk())).rejects.toThrow(
    "is too old: no trace would arrive",
  );
  calls();
});

test.each([
  {},
  { OTEL_TRACES_EXPORTER: "" },
  { OTEL_TRACES_EXPORTER: " none," },
  { OTEL_EXPORTER_OTLP_ENDPOINT: " " },
  { ...endpoint, OTEL_SDK_DISABLED: " True " },
  { OTEL_SERVICE_NAME: "mine" },
  { ...endpoint, OTEL_SDK_DISABLED: "TRUE" },
  { ...endpoint, OTEL_TRACES_EXPORTER: "none" },
])("nothing starts with %j", async (environment) => {
  expect(await startIn(environment, folderWithSdk())).toBeNull();
  expect(calls()).toEqual([]);
});

test("without the package, the error names the variable, the package and the way out", async () => {
  const workingFolder = temporaryFolder();
  await expect(startIn(endpoint, workingFolder)).rejects.toThrow(
    "OTEL_EXPORTER_OTLP_ENDPOINT: traces need the package @opentelemetry/sdk-node; install it beside secplat " +
      "(npm install @opentelemetry/sdk-node), or set OTEL_SDK_DISABLED=true",
  );
});

test.each([
  [{ OTEL_TRACES_EXPORTER: "otpl" }, "OTEL_TRACES_EXPORTER cannot be 'otpl'. Expected otlp, "],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: " always_on" },
    "OTEL_TRACES_SAMPLER cannot be ' always_on'.",
  ],
  [{ ...endpoint, OTEL_BSP_SCHEDULE_DELAY: "Infinity" }, "OTEL_BSP_SCHEDULE_DELAY cannot be"],
  [{ OTEL_TRACES_EXPORTER: "otlp,none" }, "OTEL_TRACES_EXPORTER cannot be 'otlp,none'."],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: "always_offf" },
    "OTEL_TRACES_SAMPLER cannot be 'always_offf'. Expected one of always_on, always_off, traceidratio, " +
      "parentbased_always_on, parentbased_always_off, parentbased_traceidratio. Did you mean always_off?",
  ],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "10%" },
    "OTEL_TRACES_SAMPLER_ARG cannot be '10%'. Expected a number from 0 to 1.",
  ],
  [{ ...endpoint, OTEL_TRACES_SAMPLER_ARG: "1.5" }, "OTEL_TRACES_SAMPLER_ARG cannot be '1.5'"],
  [{ ...endpoint, OTEL_BSP_MAX_QUEUE_SIZE: "0" }, "OTEL_BSP_MAX_QUEUE_SIZE cannot be '0'"],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: "10s" }, "OTEL_EXPORTER_OTLP_TIMEOUT cannot be"],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_COMPRESSION: "zip" }, "OTEL_EXPORTER_OTLP_COMPRESSION cannot"],
  [
    { ...endpoint, OTEL_PROPAGATORS: "tracecontext,jaeger" },
    "OTEL_PROPAGATORS cannot be 'tracecontext,jaeger'. Expected tracecontext, baggage,",
  ],
  [{ OTEL_TRACES_EXPORTER: "otlp,\u001b" }, "OTEL_TRACES_EXPORTER cannot be"],
  [
    { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "xyz" },
    "OTEL_EXPORTER_OTLP_PROTOCOL cannot be 'xyz'",
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "u:hunter2@h" },
    "OTEL_EXPORTER_OTLP_ENDPOINT cannot be this. Expected a URL",
  ],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "127.0.0.1:4318" },
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT cannot be",
  ],
])(
  "the start and the check refuse %j, with which no trace would arrive",
  async (environment, words) => {
    const command = commandLine({ environment, folder: folderWithSdk() });
    for (const line of [
      ["config", "check"],
      ["serve", "--port", "0"],
    ]) {
      const { exitCode, stderr } = await command(line);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`secplat: ${words}`);
      expect(stderr).not.toContain("hunter2");
    }
    expect(calls()).toEqual([]);
  },
);

test.each([
  { OTEL_TRACES_EXPORTER: "otlp, console" },
  { OTEL_TRACES_EXPORTER: "otlp,", OTEL_PROPAGATORS: "b3, ,baggage" },
  { ...endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: "2.5e3 ", OTEL_EXPORTER_OTLP_COMPRESSION: "gzip " },
  { OTEL_TRACES_EXPORTER: "console", OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" },
  { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://h", OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" },
  { OTEL_TRACES_EXPORTER: "zipkin" },
  { ...endpoint, OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" },
  { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
  {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://h/v1/traces",
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
  },
])("%j is accepted", async (environment) => {
  const check = await commandLine({ environment, folder: folderWithSdk() })(["config", "check"]);
  expect(check).toMatchObject({ exitCode: 0, stderr: "" });
});
