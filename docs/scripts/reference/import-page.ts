import type { JsonSchema } from "@security-platform/spec";
import { code, joinBlocks, prose } from "./markdown.ts";
import { memberTables } from "./members.ts";
import { resolve, type Components } from "./schema.ts";

/** URL of a kind's schema, relative to the site's root. */
export const importSchemaFile = (kind: string): string => `import/${kind}.json`;

/** The page of all import kinds, with the members of their lines. */
export const importPage = (
  schemas: Readonly<Record<string, JsonSchema>>,
  components: Components,
): string =>
  joinBlocks([
    "# Import kinds",
    "The members of a line of each kind, for `npm run -s secplat -- import <kind> <file>`. " +
      "For usage see [Import and seed](/guides/import).",
    ...Object.entries(schemas).flatMap(([kind, schema]) => [
      `## ${code(kind)}`,
      `${prose(String(schema["description"]))} JSON Schema: [${kind}.json](/docs/${importSchemaFile(kind)}){target=_self}.`,
      ...memberTables(withoutWideMembers(schema, components), components, "always present"),
    ]),
  ]);

/** A member with more members than this has only a description, because its table would be too long. */
const widest = 20;

function withoutWideMembers(schema: JsonSchema, components: Components): JsonSchema {
  const properties = Object.entries(schema["properties"] as Record<string, JsonSchema>);
  const rows = properties.map(([name, member]) => {
    const { properties: inside, ...rest } = resolve(member, components);
    return [name, Object.keys(inside ?? {}).length > widest ? rest : member];
  });
  return { ...schema, properties: Object.fromEntries(rows) as JsonSchema };
}

/** The schema as a separate file that contains the parts of the document that it refers to. */
export const standaloneSchema = (schema: JsonSchema): string =>
  `${JSON.stringify(schema, null, 2).replaceAll('"#/components/', '"../openapi.json#/components/')}\n`;
