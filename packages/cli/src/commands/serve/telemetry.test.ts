import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../../testing/command-line.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { startTelemetry } from "./telemetry.ts";

/** A folder with a package of this name whose SDK notes what happens to it. */
function folderWithSdk(): string {
  const folder = temporaryFolder();
  const place = join(folder, "node_modules", "@opentelemetry", "sdk-node");
  mkdirSync(place, { recursive: true });
  writeFileSync(
    join(place, "package.json"),
    JSON.stringify({ name: "@opentelemetry/sdk-node", version: "1.0.0", main: "index.cjs" }),
  );
  writeFileSync(
    join(place, "index.cjs"),
    `const calls = (globalThis.sdkCalls ??= []);
    exports.NodeSDK = class {
      constructor(options) { calls.push(["new", options]); }
      start() { calls.push(["start"]); }
      async shutdown() { calls.push(["shutdown"]); throw new Error("the collector is away"); }
    };`,
  );
  return folder;
}

const calls = (): unknown => {
  const made = (globalThis as { sdkCalls?: unknown[] }).sdkCalls?.splice(0);
  return made ?? [];
};

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

test("the SDK runs from the start to the stop, if a standard variable asks for traces", async () => {
  const workingFolder = folderWithSdk();
  const telemetry = await startTelemetry({ environment: endpoint, workingFolder });
  expect(calls()).toEqual([["new", { serviceName: "secplat" }], ["start"]]);
  await telemetry?.stop();
  expect(calls()).toEqual([["shutdown"]]);
  await startTelemetry({ environment: { ...endpoint, OTEL_SERVICE_NAME: "mine" }, workingFolder });
  expect(calls()).toEqual([["new", {}], ["start"]]);
});

test.each([
  {},
  { OTEL_TRACES_EXPORTER: "" },
  { OTEL_SERVICE_NAME: "mine" },
  { ...endpoint, OTEL_SDK_DISABLED: "TRUE" },
  { ...endpoint, OTEL_TRACES_EXPORTER: "none" },
])("nothing starts with %j", async (environment) => {
  expect(await startTelemetry({ environment, workingFolder: folderWithSdk() })).toBeNull();
  expect(calls()).toEqual([]);
});

test("without the package, the error names the variable, the package and the way out", async () => {
  const workingFolder = temporaryFolder();
  await expect(startTelemetry({ environment: endpoint, workingFolder })).rejects.toThrow(
    "OTEL_EXPORTER_OTLP_ENDPOINT: traces need the package @opentelemetry/sdk-node; install it beside secplat " +
      "(npm install @opentelemetry/sdk-node), or set OTEL_SDK_DISABLED=true",
  );
});

test.each([
  [{ OTEL_TRACES_EXPORTER: "otpl" }, "OTEL_TRACES_EXPORTER cannot be 'otpl'. Expected otlp, "],
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
  { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
  {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://h/v1/traces",
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
  },
])("%j is accepted", async (environment) => {
  const check = await commandLine({ environment, folder: folderWithSdk() })(["config", "check"]);
  expect(check).toMatchObject({ exitCode: 0, stderr: "" });
});
