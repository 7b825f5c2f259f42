import type { JsonSchema, OpenApiDocument } from "../../document.ts";
import { resolve } from "../../references.ts";

/** A schema in the form for comparison, with alternatives and parts merged. */
export interface MergedSchema {
  /** JSON types without null. */
  readonly types: ReadonlySet<string>;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: ReadonlySet<string>;
  /** Accepted aliases of members. */
  readonly aliases: ReadonlySet<string>;
  readonly items?: JsonSchema;
  readonly values?: JsonSchema;
  readonly enum: readonly unknown[];
  readonly format?: string;
}

const record = (value: unknown): Readonly<Record<string, JsonSchema>> =>
  (value ?? {}) as Readonly<Record<string, JsonSchema>>;
const list = (value: unknown): readonly JsonSchema[] => (value ?? []) as readonly JsonSchema[];

/** The constraints of a schema, with references resolved, and `allOf` and alternatives merged. */
export function mergedSchema(document: OpenApiDocument, schema: JsonSchema): MergedSchema {
  const resolved = resolve(document, schema);
  const alternatives = [...list(resolved["oneOf"]), ...list(resolved["anyOf"])];
  const parts = list(resolved["allOf"]).map((part) => mergedSchema(document, part));
  const choices = alternatives
    .map((alternative) => mergedSchema(document, alternative))
    .filter(({ types }) => types.size > 0);
  const every = [...parts, ...choices];
  const own = [(resolved["type"] ?? []) as string | readonly string[]].flat();
  const items = resolved["items"] ?? every.find((merged) => merged.items)?.items;
  const values =
    typeof resolved["additionalProperties"] === "object"
      ? resolved["additionalProperties"]
      : every.find((merged) => merged.values)?.values;
  const { format } = resolved;
  return {
    types: new Set([...own, ...every.flatMap(({ types }) => [...types])].filter(isNotNull)),
    properties: Object.assign(
      {},
      ...every.map(({ properties }) => properties),
      record(resolved["properties"]),
    ) as Readonly<Record<string, JsonSchema>>,
    required: new Set([
      ...list(resolved["required"]).map(String),
      ...parts.flatMap(({ required }) => [...required]),
      ...[...(choices[0]?.required ?? [])].filter((name) =>
        choices.every(({ required }) => required.has(name)),
      ),
    ]),
    aliases: new Set([
      ...Object.keys(record(resolved["x-aliases"])),
      ...every.flatMap(({ aliases }) => [...aliases]),
    ]),
    ...(typeof format === "string" ? { format } : {}),
    ...(items === undefined ? {} : { items: items as JsonSchema }),
    ...(values === undefined ? {} : { values: values as JsonSchema }),
    enum: [
      ...list(resolved["enum"]),
      ...("const" in resolved ? [resolved["const"]] : []),
      ...every.flatMap((merged) => merged.enum),
    ],
  };
}

const isNotNull = (type: string): boolean => type !== "null";
