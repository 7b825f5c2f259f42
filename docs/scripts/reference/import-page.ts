import type { JsonSchema } from "@security-platform/spec";
import { code, joinBlocks, prose } from "./markdown.ts";
import { memberTables } from "./members.ts";
import { resolve, type Components } from "./schema.ts";

/** Where the schema of a kind is served, from the site's root. */
export const importSchemaFile = (kind: string): string => `import/${kind}.json`;

/** The page of everything that `secplat import` takes: the members of a line of each kind. */
export const importPage = (
  schemas: Readonly<Record<string, JsonSchema>>,
  components: Components,
): string =>
  joinBlocks([
    "# Import kinds",
    "The members of a line of each kind, for `npm run -s secplat -- import <kind> <file>`. " +
      "How it works: [Import and seed](/guides/import).",
    ...Object.entries(schemas).flatMap(([kind, schema]) => [
      `## ${code(kind)}`,
      `${prose(String(schema["description"]))} JSON Schema: [${kind}.json](/docs/${importSchemaFile(kind)}){target=_self}.`,
      ...memberTables(withoutWideMembers(schema, components), components, "always there"),
    ]),
  ]);

/** A member with more members than this is told by its description: its table would bury the others. */
const widest = 20;

function withoutWideMembers(schema: JsonSchema, components: Components): JsonSchema {
  const properties = Object.entries(schema["properties"] as Record<string, JsonSchema>);
  const shown = properties.map(([name, member]) => {
    const { properties: inside, ...rest } = resolve(member, components);
    return [name, Object.keys(inside ?? {}).length > widest ? rest : member];
  });
  return { ...schema, properties: Object.fromEntries(shown) as JsonSchema };
}

/** The schema as a file of its own: what it takes from the document, it finds beside itself. */
export const standaloneSchema = (schema: JsonSchema): string =>
  `${JSON.stringify(schema, null, 2).replaceAll('"#/components/', '"../openapi.json#/components/')}\n`;
