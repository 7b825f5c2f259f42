import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { servedDocument } from "@security-platform/spec";
import type { Awaitable } from "../awaitable.ts";
import type { Problem } from "../errors.ts";
import { problemsOf } from "./problems.ts";
import { originalPlace, reduced } from "./large-value.ts";
import { componentPath, type Schema } from "./resolved.ts";
import { isLargerThan, sampleOf } from "./sample.ts";
import { replaceUniqueItems } from "./unique-items.ts";

export { resolved, type Schema } from "./resolved.ts";

/** Returns the problems of a value; an empty list if it is valid. */
export type SchemaValidator = (value: unknown) => readonly Problem[];

const documentId = "openapi.json";

/** Maximum number of JSON values up to which all violations are reported, in one turn. */
const fullyChecked = 2_000;
/** Maximum number of JSON values in the sample of a larger value. */
const largestSample = 5_000;

type Depth = "all violations" | "first violation";

const shared = new Map<Depth, Ajv2020>();

/**
 * The process has one instance per depth, with the document's components. Schemas are compiled at first use.
 */
function ajv(depth: Depth): Ajv2020 {
  let instance = shared.get(depth);
  if (instance !== undefined) return instance;
  const allErrors = depth === "all violations";
  // The document's schemas are known to be valid, and checking them would compile the meta-schema.
  instance = new Ajv2020({ allErrors, strict: false, verbose: true, validateSchema: false });
  (addFormats as unknown as (instance: Ajv2020) => void)(instance);
  replaceLengthKeywords(instance);
  replaceUniqueItems(instance);
  // Ajv compiles a separate schema once, but compiles a part of a schema once for each schema that refers to
  // it.
  for (const [name, schema] of Object.entries(servedDocument().schemas)) {
    instance.addSchema(schema, `${documentId}${componentPath}${name}`);
  }
  shared.set(depth, instance);
  return instance;
}

/**
 * Ajv counts the characters of a whole text, whose length may be megabytes. A text has at least half as many
 * characters as units of UTF-16, so most texts need no count.
 */
function replaceLengthKeywords(instance: Ajv2020): void {
  const keyword = { type: "string", schemaType: "number", errors: false } as const;
  const replace = (name: string, create: (limit: number) => (text: string) => boolean) =>
    instance.removeKeyword(name).addKeyword({ ...keyword, keyword: name, compile: create });
  replace("maxLength", (limit) => (text) => {
    if (text.length <= limit) return true;
    return text.length <= 2 * limit && charactersOf(text) <= limit;
  });
  replace("minLength", (limit) => (text) => {
    if (text.length < limit) return false;
    return text.length >= 2 * limit || charactersOf(text) >= limit;
  });
}

/** Characters of Unicode: a surrogate pair is one. */
const charactersOf = (text: string): number => Array.from(text).length;

/** Compiled schemas by depth and text. Most operations share their path or body with another operation. */
const compiled = new Map<string, ValidateFunction>();

/** Schemas with the same text are compiled once for each depth. */
function compile(schema: Schema, depth: Depth): ValidateFunction {
  const key = `${depth} ${JSON.stringify(schema)}`;
  let validate = compiled.get(key);
  if (validate === undefined) {
    validate = ajv(depth).compile(withDocumentReferences(schema) as Schema);
    compiled.set(key, validate);
  }
  return validate;
}

/**
 * A validator of `schema`. The location of every problem starts with `place` (`body`, `query`). For a large
 * value, reports the first violation and the violations among the first items of its lists, because listing
 * millions of violations would take minutes.
 */
export function schemaValidator(schema: Schema, place: string): SchemaValidator {
  const full = violations(schema, place, "all violations");
  const first = violations(schema, place, "first violation");
  return (value) =>
    isLargerThan(fullyChecked, value) ? withSample(value, first(value), full) : full(value);
}

/**
 * Like `schemaValidator`, with the same problems. Validates a large value in portions, between
 * which other requests run.
 */
export function pausingValidator(
  schema: Schema,
  place: string,
): (value: unknown) => Awaitable<readonly Problem[]> {
  const full = violations(schema, place, "all violations");
  const first = violations(schema, place, "first violation");
  const inPortions = async (value: unknown): Promise<readonly Problem[]> => {
    const { value: part, moves } = await reduced(schema, value, place, schemaCheck);
    const problems = first(part).map((problem) => ({
      ...problem,
      at: originalPlace(problem.at, moves),
    }));
    return withSample(value, problems, full);
  };
  return (value) => (isLargerThan(fullyChecked, value) ? inPortions(value) : full(value));
}

/** Adds the violations in a sample of the value to the first violation, if there is one. */
function withSample(
  value: unknown,
  problems: readonly Problem[],
  full: SchemaValidator,
): readonly Problem[] {
  if (problems.length === 0) return problems;
  const sample = sampleOf(value);
  if (isLargerThan(largestSample, sample)) return problems;
  const places = new Set(problems.map(({ at }) => at));
  return [...problems, ...full(sample).filter(({ at }) => !places.has(at))];
}

/** Whether a value is valid. */
export type SchemaCheck = (value: unknown) => boolean;

/** Like `schemaValidator`, without the cost of describing problems. */
export function schemaCheck(schema: Schema): SchemaCheck {
  let validate: ValidateFunction | undefined;
  return (value) => (validate ??= compile(schema, "first violation"))(value);
}

const noProblems: readonly Problem[] = [];

function violations(schema: Schema, place: string, depth: Depth): SchemaValidator {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= compile(schema, depth);
    if (validate(value)) return noProblems;
    return problemsOf((validate.errors ?? []) as readonly ErrorObject[], place, value);
  };
}

/** References of an operation point into the document, which has its own id in Ajv. */
function withDocumentReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withDocumentReferences);
  if (schema === null || typeof schema !== "object") return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string" && value.startsWith("#/")
        ? documentId + value
        : withDocumentReferences(value),
    ]),
  );
}
