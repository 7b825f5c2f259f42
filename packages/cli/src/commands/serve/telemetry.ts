import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { printable } from "../../terminal/printable.ts";

/** Reads all standard variables `OTEL_…` itself. It has 20 times the size of this package. */
const sdkPackage = "@opentelemetry/sdk-node";

/** An SDK that sends what this process traces. */
export interface Telemetry {
  /** Sends the rest. */
  stop(): Promise<void>;
}

interface NodeSdk {
  start(): void;
  shutdown(): Promise<void>;
}

/** Variables that ask for traces. */
const exporterVariables = [
  "OTEL_TRACES_EXPORTER",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/**
 * Starts OpenTelemetry if a standard variable names where to send traces; null otherwise. Call it before the database is
 * opened.
 */
export async function startTelemetry(
  context: Pick<CliContext, "environment" | "workingFolder">,
): Promise<Telemetry | null> {
  const path = neededSdk(context);
  if (path === null) return null;
  const { environment } = context;
  const { NodeSDK } = (await import(pathToFileURL(path).href)) as {
    readonly NodeSDK: new (options: object) => NodeSdk;
  };
  const named = environment["OTEL_SERVICE_NAME"] ?? "";
  const sdk = new NodeSDK(named === "" ? { serviceName: "secplat" } : {});
  sdk.start();
  return { stop: () => sdk.shutdown().catch(() => undefined) };
}

/**
 * The path of the SDK if a variable asks for traces; null otherwise. Throws if the package is not installed: traces that
 * go nowhere would be noticed late.
 */
export function neededSdk({
  environment,
  workingFolder,
}: Pick<CliContext, "environment" | "workingFolder">): string | null {
  const asking = exporterVariables.find((name) => !["", "none"].includes(environment[name] ?? ""));
  const isOff =
    environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" ||
    environment["OTEL_TRACES_EXPORTER"] === "none";
  if (asking === undefined || isOff) return null;
  requireValues(environment);
  const path = findSdk(workingFolder);
  if (path !== undefined) return path;
  throw new CommandError(
    `${asking}: traces need the package ${sdkPackage}; install it beside secplat (npm install ${sdkPackage}), ` +
      "or set OTEL_SDK_DISABLED=true",
  );
}

const exporters = ["otlp", "console", "zipkin"];
const protocols = ["http/protobuf", "http/json", "grpc"];

/** Refuses what the SDK replaces by a default without a word, or sends nowhere. */
function requireValues(environment: CliContext["environment"]): void {
  const refuse = (name: string, expected: string): never => {
    // An endpoint may have a password.
    const value = name.endsWith("_ENDPOINT") ? "this" : `'${printable(environment[name] ?? "")}'`;
    throw new CommandError(`${name} cannot be ${value}. Expected ${expected}.`, exitCodes.usage);
  };
  const given = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const named = given("OTEL_TRACES_EXPORTER")?.split(",") ?? [];
  if (named.some((each) => !exporters.includes(each.trim()))) {
    refuse("OTEL_TRACES_EXPORTER", `${exporters.join(", ")} or none`);
  }
  for (const part of ["", "TRACES_"]) {
    const name = `OTEL_EXPORTER_OTLP_${part}PROTOCOL`;
    if (!protocols.includes(given(name) ?? "grpc")) refuse(name, `one of ${protocols.join(", ")}`);
  }
  const protocol =
    given("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") ?? given("OTEL_EXPORTER_OTLP_PROTOCOL");
  // An address of gRPC needs no scheme.
  if (protocol === "grpc") return;
  for (const part of ["", "TRACES_"]) {
    const name = `OTEL_EXPORTER_OTLP_${part}ENDPOINT`;
    const text = given(name);
    if (text === undefined || ["http:", "https:"].includes(URL.parse(text)?.protocol ?? "")) {
      continue;
    }
    refuse(name, "a URL such as http://127.0.0.1:4318");
  }
}

/** Looks beside this program, then in the working folder. */
function findSdk(workingFolder: string): string | undefined {
  for (const from of [import.meta.url, join(workingFolder, "package.json")]) {
    try {
      return createRequire(from).resolve(sdkPackage);
    } catch {
      // It may be in the other place.
    }
  }
  return undefined;
}
