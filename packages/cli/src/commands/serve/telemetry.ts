import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createLogger } from "@security-platform/server/internal";
import type { CliContext } from "../../terminal/cli-context.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import type { ServeOptions } from "./serve-options.ts";
import { requireExporters, spanSenders } from "./span-exporters.ts";
import { requireTelemetryValues } from "./telemetry-values.ts";

/** Reads all standard variables `OTEL_…` itself. It has 20 times the size of this package. */
const sdkPackage = "@opentelemetry/sdk-node";

/** An SDK that sends what this process traces. */
export interface Telemetry {
  /** Tries for a short time to send the rest. */
  stop(): Promise<void>;
}

interface NodeSdk {
  start(): void;
  shutdown(): Promise<void>;
}

type TelemetryContext = Pick<CliContext, "environment" | "workingFolder" | "stderr" | "endSoon">;

/** Variables that ask for traces. */
const exporterVariables = [
  "OTEL_TRACES_EXPORTER",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/**
 * Starts OpenTelemetry if a standard variable names where to send traces; null otherwise. Call it before the database is
 * opened. The server makes traces only: nothing is sent for metrics and logs.
 */
export async function startTelemetry(
  { logLevel }: Pick<ServeOptions, "logLevel">,
  context: TelemetryContext,
): Promise<Telemetry | null> {
  const path = neededSdk(context);
  if (path === null) return null;
  const { environment } = context;
  const { NodeSDK } = (await import(pathToFileURL(path).href)) as {
    readonly NodeSDK: new (options: object) => NodeSdk;
  };
  const logger = createLogger(logLevel, context.stderr);
  const senders = spanSenders(path, environment, logger);
  const named = environment["OTEL_SERVICE_NAME"] ?? "";
  const sdk = new NodeSDK({
    spanProcessors: senders,
    metricReaders: [],
    logRecordProcessors: [],
    ...(named === "" ? { serviceName: "secplat" } : {}),
  });
  sdk.start();
  return {
    stop: async () => {
      await sdk.shutdown().catch(() => undefined);
      // The timers and connections of an exporter would keep the process until it has made all its attempts.
      if (senders.some(({ isHeld }) => isHeld)) context.endSoon();
    },
  };
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
  requireTelemetryValues(environment);
  const path = findSdk(workingFolder);
  if (path !== undefined) {
    requireExporters(path, environment);
    return path;
  }
  throw new CommandError(
    `${asking}: traces need the package ${sdkPackage}; install it beside secplat (npm install ${sdkPackage}), ` +
      "or set OTEL_SDK_DISABLED=true",
  );
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
