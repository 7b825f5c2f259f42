import { didYouMean } from "../../options/read-choice.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import { printable } from "../../terminal/printable.ts";

type Environment = CliContext["environment"];

/** What is wrong with the value of a variable, as what is expected instead; null if nothing is. */
type Rule = (value: string) => string | null;

const oneOf =
  (...values: readonly string[]): Rule =>
  (value) =>
    values.includes(value) ? null : `one of ${values.join(", ")}.${didYouMean(value, values)}`;

/** A list with commas. Blanks and empty entries of it have no meaning. */
const someOf =
  (...values: readonly string[]): Rule =>
  (value) => {
    const wrong = entriesOf(value).find((each) => !values.includes(each));
    if (wrong === undefined) return null;
    return `${values.join(", ")}, or several with commas.${didYouMean(wrong, values)}`;
  };

const share: Rule = (value) =>
  Number(value) >= 0 && Number(value) <= 1 ? null : "a number from 0 to 1.";

const positive: Rule = (value) =>
  Number(value) > 0 && Number.isFinite(Number(value)) ? null : "a number greater than 0.";

const webUrl: Rule = (value) =>
  ["http:", "https:"].includes(URL.parse(value)?.protocol ?? "")
    ? null
    : "a URL such as http://127.0.0.1:4318.";

const protocols = oneOf("http/protobuf", "http/json", "grpc");
/** The SDK ignores the blanks around it, unlike those around the name of a protocol or a sampler. */
const compressions: Rule = (value) => oneOf("gzip", "none")(value.trim());

/** The values of variables that the SDK would replace by a default without a word. */
const rules: Readonly<Record<string, Rule>> = {
  OTEL_BSP_EXPORT_TIMEOUT: positive,
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: positive,
  OTEL_BSP_MAX_QUEUE_SIZE: positive,
  OTEL_BSP_SCHEDULE_DELAY: positive,
  OTEL_EXPORTER_OTLP_COMPRESSION: compressions,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocols,
  OTEL_EXPORTER_OTLP_TIMEOUT: positive,
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: compressions,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocols,
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: positive,
  OTEL_EXPORTER_ZIPKIN_ENDPOINT: webUrl,
  OTEL_PROPAGATORS: someOf("tracecontext", "baggage", "b3", "b3multi", "none"),
  OTEL_TRACES_EXPORTER: someOf("otlp", "console", "zipkin", "none"),
  OTEL_TRACES_SAMPLER: oneOf(
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
  ),
  OTEL_TRACES_SAMPLER_ARG: share,
};

/** Refuses what the SDK replaces by a default without a word, or sends nowhere. */
export function requireTelemetryValues(environment: Environment): void {
  for (const [name, rule] of [...Object.entries(rules), ...endpointRules(environment)]) {
    const value = environment[name] ?? "";
    const expected = value.trim() === "" ? null : rule(value);
    if (expected === null) continue;
    // An endpoint may have a password.
    const shown = name.endsWith("_ENDPOINT") ? "this" : `'${printable(value)}'`;
    throw new CommandError(`${name} cannot be ${shown}. Expected ${expected}`, exitCodes.usage);
  }
  const exporters = namedExporters(environment);
  if (exporters.length > 1 && exporters.includes("none")) {
    throw new CommandError(
      `OTEL_TRACES_EXPORTER cannot be '${exporters.join(",")}'. Expected none alone, or exporters without it.`,
      exitCodes.usage,
    );
  }
}

/** The endpoint that is used. An address of gRPC needs no scheme. */
const endpointRules = (environment: Environment): [string, Rule][] => {
  if (!namedExporters(environment).includes("otlp") || otlpProtocol(environment) === "grpc")
    return [];
  const specific = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  const isSpecific = given(environment, specific) !== undefined;
  return [[isSpecific ? specific : "OTEL_EXPORTER_OTLP_ENDPOINT", webUrl]];
};

/** The value of a variable; undefined if it is absent, empty or blank. */
export const given = (environment: Environment, name: string): string | undefined =>
  environment[name]?.trim() || undefined;

const otlpProtocol = (environment: Environment): string =>
  given(environment, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") ??
  given(environment, "OTEL_EXPORTER_OTLP_PROTOCOL") ??
  "http/protobuf";

/** The exporters of `OTEL_TRACES_EXPORTER`, each once. */
export function namedExporters(environment: Environment): readonly string[] {
  const named = entriesOf(environment["OTEL_TRACES_EXPORTER"] ?? "");
  return named.length === 0 ? ["otlp"] : [...new Set(named)];
}

const entriesOf = (list: string): readonly string[] =>
  list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
