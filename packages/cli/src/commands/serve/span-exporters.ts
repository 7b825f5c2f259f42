import { createRequire } from "node:module";
import type { createLogger } from "@security-platform/server/internal";
import type { CliContext } from "../../terminal/cli-context.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import { SpanSender, type SpanExporter } from "./span-sender.ts";
import { namedExporters, numberOf, otlpProtocol } from "./telemetry-values.ts";

type Environment = CliContext["environment"];

/** The package and the class of an exporter. All of the packages come with the SDK. */
interface ExporterClass {
  readonly from: string;
  readonly name: string;
}

const otlpPackages: Readonly<Record<string, string>> = {
  grpc: "@opentelemetry/exporter-trace-otlp-grpc",
  "http/json": "@opentelemetry/exporter-trace-otlp-http",
  "http/protobuf": "@opentelemetry/exporter-trace-otlp-proto",
};

/** Older versions of the SDK have the exporter for the console in the second package. */
const consolePackages = ["@opentelemetry/sdk-trace", "@opentelemetry/sdk-trace-base"];

function candidates(exporter: string, environment: Environment): readonly ExporterClass[] {
  if (exporter === "console") {
    return consolePackages.map((from) => ({ from, name: "ConsoleSpanExporter" }));
  }
  if (exporter === "zipkin") {
    return [{ from: "@opentelemetry/exporter-zipkin", name: "ZipkinExporter" }];
  }
  const from = otlpPackages[otlpProtocol(environment)] ?? "";
  return [{ from, name: "OTLPTraceExporter" }];
}

/** Refuses an exporter that this version of the SDK does not have. */
export function requireExporters(sdkPath: string, environment: Environment): void {
  const { resolve } = createRequire(sdkPath);
  for (const exporter of namedExporters(environment)) {
    if (findExporter(exporter, environment, resolve) !== undefined) continue;
    throw new CommandError(
      `OTEL_TRACES_EXPORTER cannot be '${exporter}', because the installed @opentelemetry/sdk-node has no such exporter. Expected otlp, console or none.`,
      exitCodes.usage,
    );
  }
}

function findExporter(
  exporter: string,
  environment: Environment,
  resolve: (name: string) => string,
): ExporterClass | undefined {
  return candidates(exporter, environment).find(({ from }) => {
    try {
      return resolve(from) !== "";
    } catch {
      return false;
    }
  });
}

/** A sender for each exporter that the variables name. */
export function spanSenders(
  sdkPath: string,
  environment: Environment,
  logger: ReturnType<typeof createLogger>,
): readonly SpanSender[] {
  const load = createRequire(sdkPath);
  const { context } = load("@opentelemetry/api") as {
    readonly context: { active(): unknown; with(active: unknown, work: () => void): void };
  };
  const { suppressTracing } = load("@opentelemetry/core") as {
    readonly suppressTracing: (active: unknown) => unknown;
  };
  return namedExporters(environment).flatMap((named) => {
    const found = findExporter(named, environment, load.resolve);
    if (found === undefined) return [];
    const classes = load(found.from) as Readonly<Record<string, new () => SpanExporter>>;
    const Exporter = classes[found.name];
    if (Exporter === undefined) return [];
    return new SpanSender({
      exporter: new Exporter(),
      logger,
      untraced: (work) => context.with(suppressTracing(context.active()), work),
      maxQueueSize: numberOf(environment, "OTEL_BSP_MAX_QUEUE_SIZE"),
      maxBatchSize: numberOf(environment, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE"),
      delayMilliseconds: numberOf(environment, "OTEL_BSP_SCHEDULE_DELAY"),
      timeoutMilliseconds: numberOf(environment, "OTEL_BSP_EXPORT_TIMEOUT"),
    });
  });
}
