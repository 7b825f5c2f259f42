import { completeDocument, type JsonSchema } from "@security-platform/spec";

/** How large a generated value becomes. */
export interface Size {
  /** Maximum number of items of a list. */
  readonly items: number;
  /** Whether texts have their maximum length. */
  readonly longTexts: boolean;
  /** Whether objects have members that the example does not have. */
  readonly allMembers: boolean;
}

/** Maximum number of values in a body, and its maximum size in characters. */
const mostValues = 200_000;
const mostCharacters = 10 * 1024 * 1024 - 1_000;
const deepest = 12;

class TooLarge extends Error {}

/** The largest value of a schema up to `size` that a body can hold; `example` shows what is valid. */
export function largestValue(
  schema: JsonSchema,
  example: unknown,
  size: Omit<Size, "items">,
  textAt: (path: string, schema: JsonSchema) => string | undefined,
): unknown {
  for (const items of [10_000, 2_000, 500, 200, 100, 50, 20, 10, 5, 2, 1]) {
    try {
      return new Maker({ ...size, items }, textAt).value(schema, example, 0, "", 0);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
  return example;
}

class Maker {
  readonly #size: Size;
  readonly #textAt: (path: string, schema: JsonSchema) => string | undefined;
  #values = 0;
  #characters = 0;

  constructor(size: Size, textAt: (path: string, schema: JsonSchema) => string | undefined) {
    this.#size = size;
    this.#textAt = textAt;
  }

  /** Values with different numbers differ, if the schema allows it. */
  value(
    schema: JsonSchema,
    example: unknown,
    number: number,
    path: string,
    depth: number,
  ): unknown {
    const resolved = resolve(schema);
    this.#count(1, 8);
    if ("const" in resolved) return resolved["const"];
    const options = resolved["enum"] as readonly unknown[] | undefined;
    if (options !== undefined)
      return example !== undefined && options.includes(example)
        ? example
        : options[number % options.length];
    const choice = chosen(resolved, example);
    if (choice !== undefined) return this.value(choice, example, number, path, depth);
    const types = typesOf(resolved);
    if (
      types.includes("array") &&
      (Array.isArray(example) || example === undefined || example === null)
    ) {
      return this.#list(resolved, example as readonly unknown[] | undefined, number, path, depth);
    }
    if (
      isObject(example) ||
      (types.includes("object") && (example === undefined || example === null))
    ) {
      return this.#object(
        resolved,
        (example ?? {}) as Readonly<Record<string, unknown>>,
        number,
        path,
        depth,
      );
    }
    if (typeof example === "string" || (example === undefined && types.includes("string"))) {
      const text = this.#text(resolved, example as string | undefined, number, path);
      this.#count(0, text.length);
      return text;
    }
    if (example !== undefined) return example;
    if (types.includes("integer") || types.includes("number"))
      return resolved["maximum"] ?? resolved["minimum"] ?? number;
    if (types.includes("boolean")) return number % 2 === 0;
    return null;
  }

  #count(values: number, characters: number): void {
    this.#values += values;
    this.#characters += characters;
    if (this.#values > mostValues || this.#characters > mostCharacters) throw new TooLarge();
  }

  #list(
    schema: JsonSchema,
    example: readonly unknown[] | null | undefined,
    number: number,
    path: string,
    depth: number,
  ) {
    const { minItems = 0, maxItems = this.#size.items } = schema as {
      minItems?: number;
      maxItems?: number;
    };
    const count = Math.max(minItems, depth > deepest ? 0 : Math.min(maxItems, this.#size.items));
    const items = (schema["items"] ?? {}) as JsonSchema;
    const examples =
      example === null || example === undefined || example.length === 0 ? [undefined] : example;
    const list: unknown[] = [];
    const listedItems = new Set<unknown>();
    for (let index = 0; index < count; index += 1) {
      const item = this.value(
        items,
        examples[index % examples.length],
        number * count + index,
        `${path}[]`,
        depth + 1,
      );
      if (typeof item !== "object" && listedItems.has(item)) break;
      listedItems.add(item);
      list.push(item);
    }
    return list;
  }

  #object(
    schema: JsonSchema,
    example: Readonly<Record<string, unknown>>,
    number: number,
    path: string,
    depth: number,
  ) {
    const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
    const required = (schema["required"] ?? []) as readonly string[];
    const listed = Object.keys(properties).filter(
      (name) => name in example || required.includes(name) || (this.#size.allMembers && depth < 6),
    );
    const names = [...new Set([...Object.keys(example), ...listed])];
    const entries = names.map((name) => {
      this.#count(0, name.length + 4);
      const part = properties[name] ?? schema["additionalProperties"];
      const inner = path === "" ? name : `${path}.${name}`;
      return [
        name,
        isObject(part) ? this.value(part, example[name], number, inner, depth + 1) : example[name],
      ];
    });
    return Object.fromEntries(entries) as unknown;
  }

  #text(schema: JsonSchema, example: string | undefined, number: number, path: string): string {
    const own = this.#textAt(path, schema);
    if (own !== undefined) return own;
    const {
      maxLength = 60,
      pattern,
      format,
    } = schema as { maxLength?: number; pattern?: string; format?: string };
    if (pattern !== undefined) return matching(compiled(pattern), example ?? "", number);
    switch (format) {
      case "uuid":
        return `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
      case "date-time":
      case "uri":
        return example ?? (format === "uri" ? "https://worst.example/" : "2031-01-01T00:00:00Z");
      case "email":
        return `user-${number}@worst.example`;
    }
    if (this.#size.longTexts && maxLength > 60) {
      return `${number} ${"long text, ".repeat(Math.ceil(maxLength / 11))}`.slice(0, maxLength);
    }
    return different(example ?? "text", number).slice(-maxLength);
  }
}

/** The example with another end; hexadecimal digits and host names stay what they are. */
function different(example: string, number: number): string {
  if (/^[0-9a-f]{32,64}$/.test(example)) {
    const digits = number.toString(16);
    return example.slice(0, -digits.length - 1) + "f" + digits;
  }
  if (/^\d+\.\d+\.\d+\.\d+$/.test(example))
    return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  return /^[\w.-]+\.[a-z]+$/.test(example) ? `n${number}.${example}` : `${example} ${number}`;
}

const patterns = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  let expression = patterns.get(pattern);
  if (expression === undefined) patterns.set(pattern, (expression = new RegExp(pattern, "u")));
  return expression;
}

type Make = (example: string, number: number) => string;

const padded =
  (start: string, length: number): Make =>
  (_example, number) =>
    start + number.toString(16).padStart(length - start.length, "0");

const makers: readonly Make[] = [
  different,
  (example, number) => `${example}${number}`,
  ...[32, 64, 36, 1].flatMap((length) => ["", "a", "A"].map((start) => padded(start, length))),
  (_example, number) => `sha256:${number.toString(16).padStart(64, "0")}`,
  (_example, number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`,
  (example) => example,
];

const working = new Map<RegExp, Make>();

/** A text that matches the pattern; texts with different numbers differ if a maker is known. */
function matching(pattern: RegExp, example: string, number: number): string {
  const text = working.get(pattern)?.(example, number);
  if (text !== undefined && pattern.test(text)) return text;
  const make = makers.find((each) => pattern.test(each(example, number)));
  if (make !== undefined) working.set(pattern, make);
  return make?.(example, number) ?? example;
}

const typesOf = (schema: JsonSchema): readonly string[] =>
  [(schema["type"] ?? []) as string | readonly string[]].flat();

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const resolvedSchemas = new WeakMap<JsonSchema, JsonSchema>();

/** The schema itself behind references, with the parts of `allOf`. */
export function resolve(schema: JsonSchema): JsonSchema {
  let resolved = resolvedSchemas.get(schema);
  if (resolved === undefined) resolvedSchemas.set(schema, (resolved = resolveNow(schema)));
  return resolved;
}

function resolveNow(schema: JsonSchema): JsonSchema {
  const { $ref, allOf, ...rest } = schema as { $ref?: string; allOf?: readonly JsonSchema[] };
  const parts = [
    ...($ref === undefined
      ? []
      : [completeDocument().components.schemas[$ref.split("/").at(-1) ?? ""] as JsonSchema]),
    ...(allOf ?? []),
  ].map(resolve);
  if (parts.length === 0) return schema;
  const all = [...parts, rest as JsonSchema];
  return Object.assign({}, ...all, {
    properties: Object.assign({}, ...all.map((part) => part["properties"])),
  }) as JsonSchema;
}

function chosen(schema: JsonSchema, example: unknown): JsonSchema | undefined {
  const choices = (schema["oneOf"] ?? schema["anyOf"]) as readonly JsonSchema[] | undefined;
  const typed = choices?.filter(
    (choice) => "$ref" in choice || "type" in choice || "allOf" in choice,
  );
  if (typed === undefined || typed.length === 0) return undefined;
  const kind =
    example === undefined ? undefined : Array.isArray(example) ? "array" : typeof example;
  const fits = (choice: JsonSchema): boolean => {
    const type = resolve(choice)["type"];
    return kind === undefined
      ? type !== "null"
      : [type].flat().includes(kind === "object" ? "object" : kind);
  };
  return typed.find(fits) ?? typed[0];
}
