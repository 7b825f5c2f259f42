import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
