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

/** Reads the parameters of one place (`query`, `path` or `header`) as the types that the document gives them. */
export function parameterReader(
  operation: ServedOperation,
  place: "query" | "path" | "header",
): (raw: RawQuery) => Outcome {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]));
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
      const parameter = known.get(name);
      if (parameter === undefined) {
        problems.push({
          at: `${place}.${name}`,
          message: `unknown parameter${suggestion(name, [...known.keys()])}`,
        });
        continue;
      }
      const read = readValue(parameter.schema, given);
      if ("problem" in read) problems.push({ at: `${place}.${name}`, message: read.problem });
      else values[name] = read.value;
    }
    const wrong = validate(values);
    for (const [name, value] of defaults) if (!(name in values)) values[name] = value;
    if (wrong.length === 0) return { values, problems };
    const others = wrong.filter(({ at }) => !problems.some((problem) => problem.at === at));
    return { values, problems: [...problems, ...others] };
  };
}

type Read = { readonly value: unknown } | { readonly problem: string };

/** Converts the text or texts of one parameter to the type of its schema. */
export function readValue(schema: Schema, given: string | readonly string[]): Read {
  const type = schema["type"];
  if (type === "array")
    return { value: readItems(schema, typeof given === "string" ? [given] : given) };
  if (typeof given !== "string") {
    return { problem: `expected one value, got ${given.length}` };
  }
  switch (type) {
    case "integer":
      return /^-?\d{1,15}$/.test(given) ? { value: Number(given) } : mismatch(schema, given);
    case "number":
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(given)
        ? { value: Number(given) }
        : mismatch(schema, given);
    case "boolean":
      if (given === "true" || given === "false") return { value: given === "true" };
      return mismatch(schema, given);
    default:
      return { value: inNormalForm(schema, given) };
  }
}

/** The items in the type of the schema; one of another type stays a text, which validation reports. */
function readItems({ items }: Schema, given: readonly string[]): readonly unknown[] {
  const schema = resolved((items ?? {}) as Schema);
  if (schema["type"] === "string") return given;
  return given.map((text) => {
    const read = readValue(schema, text);
    return "problem" in read ? text : read.value;
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
