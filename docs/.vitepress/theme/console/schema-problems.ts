import { Validator, type OutputUnit } from "@cfworker/json-schema";
import { nearest } from "@security-platform/fql";
import type { JsonSchema } from "@security-platform/spec";
import {
  alternativesOf,
  propertiesOf,
  resolved,
  schemasAt,
  type Components,
} from "./schema-walk.ts";

/** What is wrong with a value, and where. */
export interface Problem {
  /** Members and indexes from the root. */
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** Finds what a schema refuses. */
export type Check = (value: unknown) => readonly Problem[];

/** Keywords whose errors follow from those of their parts. */
const outer = new Set([
  "$ref",
  "properties",
  "items",
  "prefixItems",
  "additionalProperties",
  "propertyNames",
]);

/** Prepares the check of values against a schema of the document. */
export function checkOf(schema: JsonSchema, components: Components): Check {
  const validator = new Validator(
    { ...schema, components: { schemas: components } },
    "2020-12",
    false,
  );
  return (value) => {
    // The errors of alternatives follow the one of their keyword.
    const described = describe(validator.validate(value).errors, value, { schema, components });
    const seen = new Set<string>();
    return described.filter(({ path, text }) => {
      const key = JSON.stringify([path, text]);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  };
}

interface Described {
  readonly schema: JsonSchema;
  readonly components: Components;
}

function describe(errors: readonly OutputUnit[], root: unknown, about: Described): Problem[] {
  const problems: Problem[] = [];
  const pending = [...errors];
  for (let error = pending.shift(); error !== undefined; error = pending.shift()) {
    const { keyword, keywordLocation } = error;
    if (keyword === "oneOf" || keyword === "anyOf") {
      const inside = pending.filter((each) =>
        each.keywordLocation.startsWith(`${keywordLocation}/`),
      );
      pending.splice(0, pending.length, ...pending.filter((each) => !inside.includes(each)));
      problems.push(...closest(error, inside, root, about));
    } else if (!outer.has(keyword)) problems.push(problemOf(error, root, about));
  }
  return problems;
}

/** The problems of the alternative that has the fewest; only those of its type, if there is one. */
function closest(
  { instanceLocation, keywordLocation }: OutputUnit,
  errors: readonly OutputUnit[],
  root: unknown,
  about: Described,
): readonly Problem[] {
  const path = pathOf(instanceLocation);
  const groups = Map.groupBy(errors, (error) =>
    error.keywordLocation
      .slice(keywordLocation.length + 1)
      .split("/", 1)
      .join(""),
  );
  const fitting = [...groups.values()].filter(
    (group) =>
      !group.some(
        (error) => error.keyword === "type" && error.instanceLocation === instanceLocation,
      ),
  );
  const [best] = fitting.toSorted((one, other) => one.length - other.length);
  if (best !== undefined) return describe(best, root, about);
  const types = schemasAt(about.schema, about.components, path).map(typeOf);
  return [
    { path, text: `expected ${listed([...new Set(types)])}, got ${shown(valueAt(root, path))}` },
  ];
}

function problemOf(error: OutputUnit, root: unknown, about: Described): Problem {
  const path = pathOf(error.instanceLocation);
  const value = valueAt(root, path);
  const schemas = schemasAt(about.schema, about.components, path);
  const schema = schemas.find((each) => error.keyword in each) ?? schemas[0] ?? {};
  const limit = schema[error.keyword];
  const got = `, got ${shown(value)}`;
  const text = ((): string => {
    switch (error.keyword) {
      case "required": {
        const name = /"(.*)"\.$/.exec(error.error)?.[1] ?? "";
        return `the member ${name} is missing`;
      }
      case "false":
        return unknownMember(path, about);
      case "type":
        return `expected ${listed([...new Set(schemas.map(typeOf))])}${got}`;
      case "enum":
        return `expected ${oneOf(limit as readonly unknown[])}${got}${suggestion(value, limit as readonly unknown[])}`;
      case "const":
        return `expected ${shown(limit)}${got}`;
      case "minimum":
        return `expected at least ${String(limit)}${got}`;
      case "maximum":
        return `expected at most ${String(limit)}${got}`;
      case "minLength":
        return `expected at least ${counted(limit, "character")}, got ${counted(String(value).length, "character")}`;
      case "maxLength":
        return `expected at most ${counted(limit, "character")}, got ${counted(String(value).length, "character")}`;
      case "minItems":
        return `expected at least ${counted(limit, "item")}`;
      case "maxItems":
        return `expected at most ${counted(limit, "item")}`;
      case "minProperties":
        return `expected at least ${counted(limit, "member")}`;
      case "uniqueItems":
        return "expected items that differ from each other";
      case "pattern":
        return `expected ${typeof schema["title"] === "string" ? schema["title"] : `a text that matches ${String(limit)}`}${got}`;
      case "format":
        return `expected the format ${String(limit)}${got}`;
      default:
        return error.error;
    }
  })();
  return { path, text };
}

function unknownMember(path: readonly (string | number)[], about: Described): string {
  const name = String(path.at(-1));
  const memberNames = schemasAt(about.schema, about.components, path.slice(0, -1)).flatMap((each) =>
    Object.keys(propertiesOf(each)),
  );
  return `there is no such member${suggestion(name, memberNames)}`;
}

function suggestion(value: unknown, values: readonly unknown[]): string {
  if (typeof value !== "string") return "";
  const texts = values.filter((each) => typeof each === "string");
  const best = nearest(value, texts);
  return best === undefined ? "" : `. Did you mean ${best}?`;
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? shown(values[0]) : `one of ${values.map(shown).join(", ")}`;

const listed = (words: readonly string[]): string => words.join(" or ");

const counted = (count: unknown, word: string): string =>
  `${String(count)} ${word}${count === 1 ? "" : "s"}`;

/** `a text`, `a list of texts`. */
function typeOf(schema: JsonSchema): string {
  const { type } = schema;
  return typeof type === "string" ? (typeNames[type] ?? type) : "another type";
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

const longest = 60;

/** A value as JSON, shortened. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= longest ? text : `${text.slice(0, longest)} …`;
}

/** `#/a/0` as members and indexes. Members that look like numbers do not exist in the document. */
const pathOf = (location: string): readonly (string | number)[] =>
  location
    .split("/")
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const step of path) value = (value as Record<string | number, unknown> | null)?.[step];
  return value;
}

/** `indicators[0].type`. */
export const placeOf = (path: Problem["path"]): string =>
  path
    .map((step, index) =>
      typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${step}`,
    )
    .join("");

/** A text of the form as the value that the schema expects, if it is one. */
export function valueOfText(text: string, schema: JsonSchema, components: Components): unknown {
  const types = alternativesOf(schema, components).map(({ type }) => type);
  if (
    types.some((type) => type === "integer" || type === "number") &&
    /^-?\d+(?:\.\d+)?$/.test(text)
  ) {
    return Number(text);
  }
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** The schema of the items of a list; undefined for other types. */
export function itemsOf(schema: JsonSchema, components: Components): JsonSchema | undefined {
  const { type, items } = resolved(schema, components);
  return type === "array" ? resolved((items ?? {}) as JsonSchema, components) : undefined;
}
