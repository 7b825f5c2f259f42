import type { JsonSchema } from "@security-platform/spec";
import { code, folded, joinBlocks, prose } from "./markdown.ts";
import type { Components } from "./schema.ts";
import type { ValueParts } from "./value-parts.ts";

/** URL of a kind's schema, relative to the site's root. */
export const importSchemaFile = (kind: string): string => `import/${kind}.json`;

/** The page of all import kinds, with the members of their lines. */
export const importPage = (
  schemas: Readonly<Record<string, JsonSchema>>,
  components: Components,
  parts: ValueParts,
): string =>
  joinBlocks([
    "---\nsearch: title\nkeywords: ndjson schema\n---",
    "# Import kinds",
    "The members of a line of each kind, for `npx secplat import <kind> <file>`. " +
      "For usage see [Import and seed](/guides/import).",
    ...Object.entries(schemas).flatMap(([kind, schema]) => [
      `## ${code(kind)}`,
      `${prose(String(schema["description"]))} JSON Schema: [${kind}.json](/docs/${importSchemaFile(kind)}){target=_self}.`,
      ...folded("Members of a line", [
        parts.members(schema, components, "request", `${kind}-line`),
      ]),
    ]),
  ]);

/** The schema as a separate file that contains the parts of the document that it refers to. */
export const standaloneSchema = (schema: JsonSchema): string =>
  `${JSON.stringify(schema, null, 2).replaceAll('"#/components/', '"../openapi.json#/components/')}\n`;
