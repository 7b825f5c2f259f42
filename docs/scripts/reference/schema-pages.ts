import type { JsonSchema, Operation } from "@security-platform/spec";
import { breakable, codeHtml, htmlBlock, methodBadge, pageAddress, proseHtml } from "./html.ts";
import { code, joinBlocks } from "./markdown.ts";
import { memberTree } from "./members.ts";
import { linkedProse } from "./mentions.ts";
import { operationLink, schemaLink } from "./places.ts";
import { isObject, referencesIn, type Components } from "./schema.ts";

/** A schema of an object, with the operations that take or return it, also inside other schemas. */
export interface SchemaUse {
  readonly name: string;
  readonly taking: readonly Operation[];
  readonly returning: readonly Operation[];
  /** The schemas that contain it. */
  readonly inside: readonly string[];
}

/** The schemas of objects that operations use, in the order of the alphabet. */
export function schemaUses(
  operations: readonly Operation[],
  components: Components,
): readonly SchemaUse[] {
  const references = new Map(
    Object.entries(components).map(([name, schema]) => [name, referencesIn(schema)]),
  );
  const taking = new Map<string, Operation[]>();
  const returning = new Map<string, Operation[]>();
  for (const operation of operations) {
    const success = operation.responses.find(({ status }) => status === operation.successStatus);
    note(taking, operation, Object.values(operation.requestBody?.content ?? {}), references);
    note(returning, operation, Object.values(success?.content ?? {}), references);
  }
  return Object.keys(components)
    .filter((name) => isObject(name, components))
    .toSorted()
    .map((name) => ({
      name,
      taking: taking.get(name) ?? [],
      returning: returning.get(name) ?? [],
      inside: [...references].flatMap(([other, names]) =>
        other !== name && names.has(name) && isObject(other, components) ? [other] : [],
      ),
    }));
}

function note(
  uses: Map<string, Operation[]>,
  operation: Operation,
  contents: readonly { readonly schema: JsonSchema }[],
  references: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  const reached = new Set(contents.flatMap(({ schema }) => [...referencesIn(schema)]));
  // The loop also visits the names that it adds.
  for (const name of reached) {
    for (const inner of references.get(name) ?? []) reached.add(inner);
    uses.set(name, [...(uses.get(name) ?? []), operation]);
  }
}

/** The page of one schema. */
export function schemaPage(use: SchemaUse, components: Components): string {
  const { name, inside } = use;
  const reference = { $ref: `#/components/schemas/${name}` };
  const description = components[name]?.["description"];
  return joinBlocks([
    ["---", `title: ${name}`, "search: title", "pageClass: schema-page", "---"].join("\n"),
    `# ${name}`,
    typeof description === "string" ? linkedProse(description) : "",
    "## Members",
    memberTree(reference, components, use.returning.length > 0 ? "response" : "request", name) ||
      "It has no members of its own.",
    operationList("Sent to", use.taking),
    operationList("Returned by", use.returning),
    inside.length === 0
      ? ""
      : joinBlocks([
          "## Part of",
          inside.map((other) => `[${code(other)}](${schemaLink(other)})`).join(", "),
        ]).trimEnd(),
  ]);
}

function operationList(title: string, operations: readonly Operation[]): string {
  if (operations.length === 0) return "";
  const items = operations.map(
    ({ id, method, summary }) =>
      `<li>${methodBadge(method)} <a href="${pageAddress(operationLink(id))}">${proseHtml(summary)}</a> ${codeHtml(id)}</li>`,
  );
  return joinBlocks([
    `## ${title}`,
    htmlBlock("operation-list", `<ul>${items.join("")}</ul>`),
  ]).trimEnd();
}

/** The page that lists all schemas. */
export const schemasPage = (uses: readonly SchemaUse[]): string =>
  joinBlocks([
    "---\npageClass: table-page\naside: false\n---",
    "# Schemas",
    "The objects of requests and responses. Each page shows the members, and which operations take or return them.",
    htmlBlock(
      "schema-list",
      `<ul>${uses.map(({ name }) => `<li><a href="${pageAddress(schemaLink(name))}">${breakable(name)}</a></li>`).join("")}</ul>`,
    ),
  ]);
