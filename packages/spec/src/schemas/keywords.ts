/**
 * Checks values against JSON Schemas. A schema becomes a tree of functions when it is first used, without code that is
 * compiled from text: a page's content security policy forbids that, and it takes longer than most processes use a
 * schema. Supports the keywords that the document uses.
 */
import type { JsonSchema } from "../document.ts";
import { formatCheck } from "./formats.ts";
import { areDifferent } from "./unique-items.ts";
import type { Violation } from "./violation.ts";

/** One check of a value. */
export class Run {
  readonly violations: Violation[] = [];
  /** Members and items from the value to the one that is being checked. */
  readonly path: (string | number)[] = [];
  /** Whether to go on after the first violation. */
  readonly reportsAll: boolean;

  constructor(reportsAll: boolean) {
    this.reportsAll = reportsAll;
  }

  get instancePath(): string {
    return this.path
      .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
      .join("");
  }
}

/** Returns whether the value is valid, and adds the violations to the run. */
export type Check = (value: unknown, run: Run) => boolean;

/** The check of the schema to which a reference leads. */
export type Follow = (reference: string) => Check;

/** The keyword of a schema that is made a check. */
interface Use {
  readonly keyword: string;
  readonly definition: unknown;
  readonly schema: JsonSchema;
  /** Place of the schema. */
  readonly place: string;
  readonly follow: Follow;
}

type Members = Readonly<Record<string, unknown>>;
type Items = readonly unknown[];
type Keyword = (use: Use) => Check;

const isNumber = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value);
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  number: isNumber,
  integer: Number.isInteger,
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

function violate(use: Use, value: unknown, run: Run, member?: string): false {
  const { keyword, definition, schema, place } = use;
  run.violations.push({
    keyword,
    instancePath: run.instancePath,
    schemaPath: `${place}/${keyword}`,
    schema: definition,
    parentSchema: schema,
    data: value,
    ...(member === undefined ? {} : { member }),
  });
  return false;
}

/** A keyword that is violated by the value as a whole. */
const simple =
  <Limit>(isValid: (value: never, limit: Limit) => boolean): Keyword =>
  (use) => {
    const limit = use.definition as Limit;
    return (value, run) => isValid(value as never, limit) || violate(use, value, run);
  };

/** Runs the checks until the first violation, or all. */
function each<Item>(items: readonly Item[], run: Run, check: (item: Item) => boolean): boolean {
  let isValid = true;
  for (const item of items) {
    if (check(item)) continue;
    isValid = false;
    if (!run.reportsAll) return false;
  }
  return isValid;
}

function inside(key: string | number, value: unknown, run: Run, check: Check): boolean {
  run.path.push(key);
  const isValid = check(value, run);
  run.path.pop();
  return isValid;
}

const memberOf = (value: Members, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

/** The checks of the schemas in a list or an object. */
const subschemas = ({
  keyword,
  definition,
  place,
  follow,
}: Use): readonly (readonly [string, Check])[] =>
  Object.entries(definition as object).map(([name, schema]) => [
    name,
    checkOf(schema as JsonSchema, `${place}/${keyword}/${name}`, follow),
  ]);

const subschema = ({ keyword, definition, place, follow }: Use): Check =>
  checkOf(definition as JsonSchema, `${place}/${keyword}`, follow);

/** A choice with its own violation after those of the alternatives. A valid choice has none. */
const choice =
  (isValidCount: (count: number, alternatives: number) => boolean, most: number): Keyword =>
  (use) => {
    const checks = subschemas(use);
    return (value, run) => {
      const before = run.violations.length;
      let count = 0;
      for (const [, check] of checks) {
        if (check(value, run)) count += 1;
        if (count === most) break;
      }
      if (!isValidCount(count, checks.length)) return violate(use, value, run);
      run.violations.length = before;
      return true;
    };
  };

/** Characters of Unicode: a surrogate pair is one. */
const charactersOf = (text: string): number => Array.from(text).length;

/**
 * The keywords by the types of values that they apply to, in the order in which violations are listed. Texts may be
 * megabytes long. A text has at least half as many characters as units of UTF-16, so most texts need no count.
 */
const keywords: readonly (readonly [type: string | null, Readonly<Record<string, Keyword>>])[] = [
  [
    "number",
    {
      maximum: simple((value: number, limit: number) => value <= limit),
      minimum: simple((value: number, limit: number) => value >= limit),
      exclusiveMaximum: simple((value: number, limit: number) => value < limit),
      exclusiveMinimum: simple((value: number, limit: number) => value > limit),
    },
  ],
  [
    "string",
    {
      pattern: (use) => {
        const pattern = new RegExp(String(use.definition), "u");
        return (value, run) => pattern.test(value as string) || violate(use, value, run);
      },
      format: (use) => {
        const name = String(use.definition);
        const matches = formatCheck(name);
        if (matches === undefined) throw new Error(`${use.place}: unknown format ${name}`);
        return (value, run) => matches(value as string) || violate(use, value, run);
      },
      maxLength: simple(
        (text: string, limit: number) =>
          text.length <= limit || (text.length <= 2 * limit && charactersOf(text) <= limit),
      ),
      minLength: simple(
        (text: string, limit: number) =>
          text.length >= limit && (text.length >= 2 * limit || charactersOf(text) >= limit),
      ),
    },
  ],
  [
    null,
    {
      $ref: ({ definition, follow }) => {
        let check: Check | undefined;
        return (value, run) => (check ??= follow(String(definition)))(value, run);
      },
      const: simple((value: unknown, constant: unknown) => value === constant),
      enum: simple((value: unknown, allowed: Items) => allowed.includes(value)),
      anyOf: choice((count) => count > 0, 1),
      oneOf: choice((count) => count === 1, 2),
      allOf: (use) => {
        const checks = subschemas(use);
        return (value, run) => each(checks, run, ([, check]) => check(value, run));
      },
    },
  ],
  [
    "array",
    {
      maxItems: simple((items: Items, limit: number) => items.length <= limit),
      minItems: simple((items: Items, limit: number) => items.length >= limit),
      items: (use) => {
        const check = subschema(use);
        return (value, run) => {
          let at = -1;
          return each(value as Items, run, (item) => inside((at += 1), item, run, check));
        };
      },
      uniqueItems: (use) => {
        // The platform drops what a set has twice.
        const isRequired = use.definition === true && use.schema["x-normal-form"] !== "set";
        return (value, run) =>
          !isRequired || areDifferent(value as Items) || violate(use, value, run);
      },
    },
  ],
  [
    "object",
    {
      maxProperties: simple((value: object, limit: number) => Object.keys(value).length <= limit),
      minProperties: simple((value: object, limit: number) => Object.keys(value).length >= limit),
      required: (use) => (value, run) =>
        each(
          use.definition as readonly string[],
          run,
          (name) =>
            memberOf(value as Members, name) !== undefined || violate(use, value, run, name),
        ),
      propertyNames: (use) => {
        const check = subschema(use);
        return (value, run) =>
          each(
            Object.keys(value as object),
            run,
            (name) => check(name, run) || violate(use, value, run, name),
          );
      },
      additionalProperties: (use) => {
        const declaredNames = new Set(
          Object.keys((use.schema["properties"] as object | undefined) ?? {}),
        );
        const others = (value: unknown): readonly string[] =>
          Object.keys(value as object).filter((name) => !declaredNames.has(name));
        if (use.definition === false) {
          return (value, run) => each(others(value), run, (name) => violate(use, value, run, name));
        }
        const check = subschema(use);
        return (value, run) =>
          each(others(value), run, (name) => inside(name, (value as Members)[name], run, check));
      },
      properties: (use) => {
        const checks = subschemas(use);
        return (value, run) =>
          each(checks, run, ([name, check]) => {
            const member = memberOf(value as Members, name);
            return member === undefined || inside(name, member, run, check);
          });
      },
    },
  ],
];

/** Describe a value, or are read by others. */
const annotations =
  /^(?:x-.*|\$schema|title|description|default|examples?|deprecated|readOnly|writeOnly|contentMediaType|discriminator|type)$/;

const supported = new Set(keywords.flatMap(([, group]) => Object.keys(group)));

/** The check of a schema. It is compiled at its first use, because most members of requests are optional. */
export function checkOf(schema: JsonSchema | boolean, place: string, follow: Follow): Check {
  let check: Check | undefined;
  return (value, run) => (check ??= makeCheck(schema, place, follow))(value, run);
}

function makeCheck(schema: JsonSchema | boolean, place: string, follow: Follow): Check {
  if (schema === true) return () => true;
  if (schema === false) throw new Error(`${place}: only additionalProperties may be false`);
  const unknown = Object.keys(schema).find(
    (name) => !supported.has(name) && !annotations.test(name),
  );
  if (unknown !== undefined) throw new Error(`${place}: unsupported keyword ${unknown}`);
  const checks = keywords.flatMap(([type, group]) => {
    const own = Object.entries(group)
      .filter(([keyword]) => schema[keyword] !== undefined)
      .map(([keyword, make]) =>
        make({ keyword, definition: schema[keyword], schema, place, follow }),
      );
    if (own.length === 0) return [];
    const applies = type === null ? () => true : types[type];
    if (applies === undefined) throw new Error(`unknown type ${type}`);
    return [
      (value: unknown, run: Run) => !applies(value) || each(own, run, (check) => check(value, run)),
    ];
  });
  const all = schema["type"] === undefined ? checks : [typeCheck(schema, place, follow), ...checks];
  return (value, run) => each(all, run, (check) => check(value, run));
}

function typeCheck(schema: JsonSchema, place: string, follow: Follow): Check {
  const definition: unknown = schema["type"];
  const use = { keyword: "type", definition, schema, place, follow };
  const allowed = [definition].flat().map((name) => {
    const isType = types[String(name)];
    if (isType === undefined) throw new Error(`${place}: unknown type ${String(name)}`);
    return isType;
  });
  return (value, run) => allowed.some((isType) => isType(value)) || violate(use, value, run);
}
