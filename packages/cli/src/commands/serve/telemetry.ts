import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createLogger, isSdkTooOld } from "@security-platform/server/internal";
import type { CliContext } from "../../terminal/cli-context.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import type { ServeOptions } from "./serve-options.ts";
import { given, namedExporters, requireTelemetryValues } from "./telemetry-values.ts";

/** Reads all standard variables `OTEL_…` itself. It has 20 times the size of this package. */
const sdkPackage = "@opentelemetry/sdk-node";

/** An SDK that sends what this process traces. */
export interface Telemetry {
  /** Tries for a short time to send the rest. */
  stop(): Promise<void>;
}

interface NodeSdk {
  start(): void;
  /** Waits until the exporters have made all their attempts. */
  shutdown(): Promise<void>;
}

/** The part of `@opentelemetry/api` that says what happens to its messages. */
interface DiagnosticsApi {
  readonly diag: {
    setLogger(logger: Diagnostics, options: { readonly logLevel: number }): unknown;
  };
  readonly DiagLogLevel: { readonly WARN: number };
}

/** A message of a component of the SDK begins with the name of the component. */
type Diagnostics = Readonly<
  Record<"error" | "warn" | "info" | "debug" | "verbose", (...parts: readonly unknown[]) => void>
>;

type TelemetryContext = Pick<CliContext, "environment" | "workingFolder" | "stderr" | "endSoon">;

/** Variables that ask for traces. */
const exporterVariables = [
  "OTEL_TRACES_EXPORTER",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/** Does work that is traced if a standard variable asks for it. */
export async function withTelemetry(
  options: Pick<ServeOptions, "logLevel">,
  context: TelemetryContext,
  work: () => Promise<void>,
): Promise<void> {
  const telemetry = await startTelemetry(options, context);
  try {
    await work();
  } finally {
    await telemetry?.stop();
  }
}

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
  const diagnostics = diagnosticsIn(createLogger(logLevel, context.stderr));
  // Whoever sets a level wants the messages of the SDK as they are.
  if (!environment["OTEL_LOG_LEVEL"]) {
    const api = createRequire(path)("@opentelemetry/api") as DiagnosticsApi;
    api.diag.setLogger(diagnostics, { logLevel: api.DiagLogLevel.WARN });
  }
  const isNamed = given(environment, "OTEL_SERVICE_NAME") !== undefined;
  const sdk = started(NodeSDK, {
    metricReaders: [],
    logRecordProcessors: [],
    ...(isNamed ? {} : { serviceName: "secplat" }),
  });
  if (await isSdkTooOld()) {
    throw new CommandError(
      `${path} is of a version of ${sdkPackage} that is too old: no trace would arrive; ` +
        `install a newer one (npm install ${sdkPackage}@latest), or set OTEL_SDK_DISABLED=true`,
    );
  }
  return {
    stop: async () => {
      const { promise: late, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => resolve(true), stopMilliseconds);
      const ended = sdk.shutdown().catch((error: unknown) => diagnostics.error(error));
      const isLate = await Promise.race([ended.then(() => false), late]);
      clearTimeout(timer);
      if (!isLate) return;
      diagnostics.error(
        `the collector did not accept the last traces within ${stopMilliseconds} ms after the stop`,
      );
      // The timers and connections of an exporter would keep the process until it has made all its attempts.
      context.endSoon();
    },
  };
}

function started(NodeSDK: new (options: object) => NodeSdk, options: object): NodeSdk {
  try {
    const sdk = new NodeSDK(options);
    sdk.start();
    return sdk;
  } catch (error) {
    // Such as a name in OTEL_EXPORTER_OTLP_HEADERS that gRPC does not allow.
    throw new CommandError(
      `${sdkPackage} cannot start: ${(error as Error).message}; correct the variables OTEL_…, or set OTEL_SDK_DISABLED=true`,
    );
  }
}

/** How long a stop tries to send the rest. */
const stopMilliseconds = 1_500;

const millisecondsBetweenLines = 60_000;

/** Logs what the SDK reports, such as lost spans and a collector that is away. Equal reports are logged once a minute. */
function diagnosticsIn(logger: ReturnType<typeof createLogger>): Diagnostics {
  const loggedAt = new Map<string, number>();
  const report = (...parts: readonly unknown[]): void => {
    const text = parts.flatMap(textsIn).join(" ");
    const kind = text.replaceAll(/\d+/g, "0");
    const now = performance.now();
    if (now - (loggedAt.get(kind) ?? -Infinity) < millisecondsBetweenLines) return;
    if (loggedAt.size >= kindsKept) loggedAt.clear();
    loggedAt.set(kind, now);
    logger.warn({ reason: text }, "traces may be lost");
  };
  const ignore = (): void => {};
  return { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
}

const kindsKept = 100;

/** The texts and errors in a part of a report, but no bytes. */
function textsIn(part: unknown): readonly string[] {
  if (part instanceof Error) return [part.message];
  return typeof part === "string" ? [errorIn(part)] : [];
}

/** The SDK reports an error as JSON with its stack. */
function errorIn(report: string): string {
  try {
    const { message } = JSON.parse(report) as { readonly message?: unknown };
    return typeof message === "string" && message !== "" ? message : report;
  } catch {
    return report;
  }
}

/**
 * The path of the SDK if a variable asks for traces; null otherwise. Throws if the package is not installed: traces that
 * go nowhere would be noticed late.
 */
export function neededSdk({
  environment,
  workingFolder,
}: Pick<CliContext, "environment" | "workingFolder">): string | null {
  const asking = exporterVariables.find((name) => given(environment, name) !== undefined);
  const isOff =
    given(environment, "OTEL_SDK_DISABLED")?.toLowerCase() === "true" ||
    namedExporters(environment).join() === "none";
  if (asking === undefined || isOff) return null;
  requireTelemetryValues(environment);
  const path = findSdk(workingFolder);
  if (path !== undefined) return path;
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
