import type { ServedOperation } from "@security-platform/spec";
import type { Problem } from "../../errors.ts";
import { suggestion } from "../../validation/suggestion.ts";
import { typeName } from "../../validation/expectation.ts";
import { shown } from "../../validation/shown.ts";
import { inNormalForm } from "./normal-form.ts";
import { resolved, schemaValidator, type Schema } from "../../validation/schema-validator.ts";

export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

interface Outcome {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

const nothing: Outcome = { values: {}, problems: [] };

/** Reads the documented header parameters and ignores all other headers. */
export function headerReader(operation: ServedOperation): (raw: RawQuery) => Outcome {
  const names = operation.parameters.flatMap((each) => (each.in === "header" ? [each.name] : []));
  if (names.length === 0) return () => nothing;
  const read = parameterReader(operation, "header");
  return (raw) => read(Object.fromEntries(names.map((name) => [name, raw[name.toLowerCase()]])));
}

/** Reads the parameters of one place (`query`, `path` or `header`) in the types of the document. */
export function parameterReader(
  operation: ServedOperation,
  place: "query" | "path" | "header",
): (raw: RawQuery) => Outcome {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  const known = new Map(parameters.map(({ name, schema }) => [name, valueReader(schema)]));
  const defaults = parameters.flatMap(({ name, schema }) =>
    "default" in schema ? [[name, schema["default"]] as const] : [],
  );
  const validate = schemaValidator(
    {
      type: "object",
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
    },
    place,
  );
  if (parameters.length === 0 && place === "path") return () => nothing;
  return (raw) => {
    const values: Record<string, unknown> = {};
    const problems: Problem[] = [];
    for (const name in raw) {
      const given = raw[name];
      if (given === undefined) continue;
      const readValue = known.get(name);
      if (readValue === undefined) {
        problems.push({
          at: `${place}.${name}`,
          message: `unknown parameter${suggestion(name, [...known.keys()])}`,
        });
        continue;
      }
      const read = readValue(given);
      if (read.problem !== undefined)
        problems.push({ at: `${place}.${name}`, message: read.problem });
      else values[name] = read.value;
    }
    const wrong = validate(values);
    for (const [name, value] of defaults) if (!(name in values)) values[name] = value;
    if (wrong.length === 0) return { values, problems };
    const others = wrong.filter(({ at }) => !problems.some((problem) => problem.at === at));
    return { values, problems: [...problems, ...others] };
  };
}

interface Read {
  readonly value?: unknown;
  /** Absent: the value was read without a problem. */
  readonly problem?: string;
}

/** Converts the text or texts of a parameter to the type of its schema. */
export type ValueReader = (given: string | readonly string[]) => Read;

export function valueReader(schema: Schema): ValueReader {
  if (schema["type"] === "array") {
    const readItems = itemsReader(schema);
    return (given) => ({ value: readItems(typeof given === "string" ? [given] : given) });
  }
  const readText = textReader(schema);
  return (given) =>
    typeof given === "string"
      ? readText(given)
      : { problem: `expected one value, got ${given.length}` };
}

function textReader(schema: Schema): (given: string) => Read {
  switch (schema["type"]) {
    case "integer":
      return (given) =>
        /^-?\d{1,15}$/.test(given) ? { value: Number(given) } : mismatch(schema, given);
    case "number":
      return (given) =>
        /^-?\d{1,15}(\.\d{1,15})?$/.test(given)
          ? { value: Number(given) }
          : mismatch(schema, given);
    case "boolean":
      return (given) =>
        given === "true" || given === "false"
          ? { value: given === "true" }
          : mismatch(schema, given);
    default:
      return (given) => ({ value: inNormalForm(schema, given) });
  }
}

/**
 * Reads the items in the type of the schema. An item of another type stays a text, which validation then
 * reports.
 */
function itemsReader({ items }: Schema): (given: readonly string[]) => readonly unknown[] {
  const schema = resolved((items ?? {}) as Schema);
  if (schema["type"] === "string") return (given) => given;
  const readItem = valueReader(schema);
  return (given) =>
    given.map((text) => {
      const { problem, value } = readItem(text);
      return problem === undefined ? value : text;
    });
}

function mismatch(schema: Schema, given: string): Read {
  const { minimum, maximum } = schema;
  const range =
    minimum === undefined || maximum === undefined
      ? ""
      : ` from ${String(minimum)} to ${String(maximum)}`;
  return { problem: `expected ${typeName(schema["type"])}${range}, got ${shown(given)}` };
}
