import type { ServedOperation } from "@security-platform/spec";
import { shown, suggestion, typeName } from "@security-platform/spec/schemas";
import { mostProblems, type Problem } from "../../foundation/errors.ts";
import { inNormalForm } from "../../validation/normal-form.ts";
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
  const readers = new Map(parameters.map(({ name, schema }) => [name, valueReader(schema)]));
  /** The parameters with which another one is ignored, whatever its value. */
  const precedence = new Map(
    parameters.flatMap(({ name, schema }) => {
      const other = schema["x-ignored-with"];
      return typeof other === "string" ? [[name, other] as const] : [];
    }),
  );
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
      const input = raw[name];
      if (input === undefined) continue;
      if (precedence.size > 0 && raw[precedence.get(name) ?? ""] !== undefined) continue;
      const readValue = readers.get(name);
      if (readValue === undefined) {
        // The search for a similar name takes long for thousands of names.
        if (problems.length >= mostProblems) continue;
        problems.push({
          at: `${place}.${name}`,
          message: `unknown parameter${suggestion(name, [...readers.keys()])}`,
        });
        continue;
      }
      const read = readValue(input);
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
export type ValueReader = (input: string | readonly string[]) => Read;

export function valueReader(schema: Schema): ValueReader {
  if (schema["type"] === "array") {
    const readItems = itemsReader(schema);
    return (input) => ({ value: readItems(typeof input === "string" ? [input] : input) });
  }
  const readText = textReader(schema);
  return (input) =>
    typeof input === "string"
      ? readText(input)
      : { problem: `expected one value, got ${input.length}` };
}

function textReader(schema: Schema): (text: string) => Read {
  switch (schema["type"]) {
    case "integer":
      return (text) =>
        /^-?\d{1,15}$/.test(text) ? { value: Number(text) } : mismatch(schema, text);
    case "number":
      return (text) =>
        /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? { value: Number(text) } : mismatch(schema, text);
    case "boolean":
      return (text) =>
        text === "true" || text === "false" ? { value: text === "true" } : mismatch(schema, text);
    default:
      return (text) => ({ value: inNormalForm(schema, text) });
  }
}

/**
 * Reads the items in the type of the schema. An item of another type stays a text, which validation then
 * reports.
 */
function itemsReader({ items }: Schema): (texts: readonly string[]) => readonly unknown[] {
  const schema = resolved((items ?? {}) as Schema);
  if (schema["type"] === "string") return (texts) => texts;
  const readItem = valueReader(schema);
  return (texts) =>
    texts.map((text) => {
      const { problem, value } = readItem(text);
      return problem === undefined ? value : text;
    });
}

function mismatch(schema: Schema, text: string): Read {
  const { minimum, maximum } = schema;
  const range =
    minimum === undefined || maximum === undefined
      ? ""
      : ` from ${String(minimum)} to ${String(maximum)}`;
  return { problem: `expected ${typeName(schema["type"])}${range}, got ${shown(text)}` };
}
