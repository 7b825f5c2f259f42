import type { JsonSchema, OpenApiDocument } from "../document.ts";

/**
 * The document with `x-enum-varnames` at the enumerations that have a value in common. In Go, the constants of all
 * types share one namespace, so openapi-generator declares such a value twice.
 */
export function withEnumNames(document: OpenApiDocument): OpenApiDocument {
  const { schemas, ...components } = document.components;
  const uses = new Map<string, number>();
  for (const [, values] of enumerations(schemas)) {
    for (const name of new Set(values.map(constantName))) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const names = new Map(
    enumerations(schemas)
      .filter(([, values]) => values.some((value) => (uses.get(constantName(value)) ?? 0) > 1))
      .map(([schema, values]) => [schema, distinctNames(schema, values)]),
  );
  const named = Object.entries(schemas).map(([name, schema]): [string, JsonSchema] => {
    const constants = names.get(name);
    return [name, constants === undefined ? schema : { ...schema, "x-enum-varnames": constants }];
  });
  return { ...document, components: { ...components, schemas: Object.fromEntries(named) } };
}

const enumerations = (
  schemas: Readonly<Record<string, JsonSchema>>,
): readonly (readonly [string, readonly unknown[]])[] =>
  Object.entries(schemas).flatMap(([name, { enum: values }]) =>
    Array.isArray(values) ? [[name, values as readonly unknown[]] as const] : [],
  );

/** `in_progress` → `IN_PROGRESS`. */
const constantName = (value: unknown): string =>
  String(value)
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();

/** `CaseStatus`, `in_progress` → `CASE_STATUS_IN_PROGRESS`. */
function distinctNames(schema: string, values: readonly unknown[]): readonly string[] {
  const prefix = schema.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase();
  const names = values.map((value) => `${prefix}_${constantName(value)}`);
  if (new Set(names).size < names.length) {
    throw new Error(`two values of ${schema} have the same name in generated clients`);
  }
  return names;
}
