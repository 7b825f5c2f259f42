import type { Schema } from "../contract.ts";

/**
 * Rewrites schemas so that they reject undeclared members: an object with declared properties
 * allows no others, unless it is declared as a map. An object made of parts (`allOf`, `oneOf`, a
 * reference beside other keywords) is closed as a whole. So each schema has two forms: closed for
 * stand-alone use, and open for use as a part.
 */
export class StrictSchemas {
  readonly #schemas: Readonly<Record<string, Schema>>;

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
  }

  /**
   * The two forms of each component schema, by their references `<base>#/closed/<name>` and
   * `<base>#/open/<name>`.
   */
  components(base: string): ReadonlyMap<string, Schema> {
    return new Map(
      Object.entries(this.#schemas).flatMap(([name, schema]) => [
        [`${base}#/closed/${name}`, this.closed(schema, base)],
        [`${base}#/open/${name}`, this.open(schema, base)],
      ]),
    );
  }

  /** References in the result point to `#/closed/…` and `#/open/…`; `base` comes before the `#`. */
  closed(schema: Schema, base: string): Schema {
    const name = referencedName(schema);
    if (name !== undefined && isBareReference(schema)) return { $ref: `${base}#/closed/${name}` };
    const open = this.open(schema, base);
    if (!this.#listsProperties(schema, new Set())) return open;
    const simple = !partKeywords.some((keyword) => keyword in open);
    return simple
      ? { additionalProperties: false, ...open }
      : { ...open, unevaluatedProperties: false };
  }

  open(schema: Schema, base: string): Schema {
    const result: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      result[keyword] = this.#keyword(keyword, value, base);
    }
    if (isFreeObject(schema)) result["additionalProperties"] = true;
    return result;
  }

  #keyword(keyword: string, value: unknown, base: string): unknown {
    switch (keyword) {
      case "$ref":
        return `${base}#/open/${nameOf(String(value))}`;
      case "allOf":
      case "oneOf":
      case "anyOf":
        return (value as Schema[]).map((part) => this.open(part, base));
      case "if":
      case "then":
      case "else":
      case "not":
        return this.open(value as Schema, base);
      case "properties":
      case "patternProperties":
        return Object.fromEntries(
          Object.entries(value as Record<string, Schema>).map(([name, inner]) => [
            name,
            this.closed(inner, base),
          ]),
        );
      case "items":
      case "contains":
      case "additionalProperties":
      case "unevaluatedProperties":
        return typeof value === "object" ? this.closed(value as Schema, base) : value;
      case "prefixItems":
        return (value as Schema[]).map((inner) => this.closed(inner, base));
      case "propertyNames":
        return this.open(value as Schema, base);
      default:
        return value;
    }
  }

  /**
   * Whether the object that the schema describes lists properties, itself or in one of its parts.
   */
  #listsProperties(schema: Schema, seen: Set<string>): boolean {
    if (schema["properties"] !== undefined) return true;
    const name = referencedName(schema);
    if (name !== undefined && !seen.has(name)) {
      seen.add(name);
      const target = this.#schemas[name];
      if (target !== undefined && this.#listsProperties(target, seen)) return true;
    }
    return ["allOf", "oneOf", "anyOf"].some((keyword) =>
      ((schema[keyword] as Schema[] | undefined) ?? []).some((part) =>
        this.#listsProperties(part, seen),
      ),
    );
  }
}

const partKeywords = ["$ref", "allOf", "oneOf", "anyOf", "if"];
const annotations = new Set([
  "$ref",
  "description",
  "title",
  "readOnly",
  "writeOnly",
  "deprecated",
]);

const isBareReference = (schema: Schema): boolean =>
  Object.keys(schema).every((keyword) => annotations.has(keyword) || keyword.startsWith("x-"));

const referencedName = (schema: Schema): string | undefined =>
  typeof schema["$ref"] === "string" ? nameOf(schema["$ref"]) : undefined;

function nameOf(reference: string): string {
  const name = /^#\/components\/schemas\/([^/]+)$/.exec(reference)?.[1];
  if (name === undefined) throw new Error(`unexpected reference ${reference}`);
  return name;
}

/** `type: object` without declared members allows any member. */
const isFreeObject = (schema: Schema): boolean =>
  [schema["type"]].flat().includes("object") &&
  !["properties", "additionalProperties", "unevaluatedProperties", ...partKeywords].some(
    (keyword) => keyword in schema,
  );
