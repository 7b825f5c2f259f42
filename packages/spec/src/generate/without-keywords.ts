import type { JsonSchema } from "../document.ts";

const holdsSchema: ReadonlySet<string> = new Set([
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);
const holdsList: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const holdsMap: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
]);

/** A schema without these keywords; a member with such a name is not a keyword and is kept. */
export function withoutKeywords(schema: unknown, keywords: ReadonlySet<string>): JsonSchema {
  if (schema === null || typeof schema !== "object") return schema as JsonSchema;
  const inner = (each: unknown): JsonSchema => withoutKeywords(each, keywords);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !keywords.has(keyword))
      .map(([keyword, value]: [string, unknown]) => {
        if (holdsSchema.has(keyword)) return [keyword, inner(value)];
        if (holdsList.has(keyword)) return [keyword, (value as readonly unknown[]).map(inner)];
        if (!holdsMap.has(keyword)) return [keyword, value];
        const members = Object.entries(value as object).map(([name, member]) => [
          name,
          inner(member),
        ]);
        return [keyword, Object.fromEntries(members)];
      }),
  );
}
