import { fqlTables, type FqlTable, type Operation } from "@security-platform/spec";
import { escape, htmlBlock, proseHtml } from "./html.ts";
import { code, joinBlocks } from "./markdown.ts";
import { anchorLink } from "./members.ts";
import { linkedProseHtml } from "./mentions.ts";

/** The resources whose fields an operation's filters and sorts use. */
export const fieldResources = (
  operation: Operation,
): readonly { readonly resource: string; readonly fields: FqlTable["fields"] }[] => {
  const resources = new Set(usesOf(operation).flatMap(({ fql }) => fql.resource ?? []));
  return [...resources].map((resource) => ({ resource, fields: tableOf(resource).fields }));
};

function usesOf(operation: Operation) {
  return [
    ...operation.parameters.flatMap(({ name, fql }) => (fql === undefined ? [] : [{ name, fql }])),
    ...(operation.requestBody?.fql ?? []).map(({ path, ...fql }) => ({ name: path, fql })),
  ];
}

function tableOf(resource: string): FqlTable {
  const tables: Readonly<Record<string, FqlTable>> = fqlTables;
  const fqlTable = tables[resource];
  if (fqlTable === undefined) throw new Error(`the document has no x-fql table ${resource}`);
  return fqlTable;
}

export const syntaxLine = "For the syntax see [Filters](/guides/filters).";

/** About filters and sorts whose fields are those of other rows; empty without any. */
export function rowsText(operation: Operation): string {
  const rows = usesOf(operation)
    .filter(({ fql }) => fql.of === "rows")
    .map(({ name }) => code(name));
  return rows.length === 0
    ? ""
    : `${rows.join(" and ")} use the columns of the node's input rows, with their current names.`;
}

/** The fields of an operation's filters and sorts; empty if it has none. */
export function fieldsSection(operation: Operation): string {
  const resources = fieldResources(operation);
  const rows = rowsText(operation);
  if (resources.length === 0 && rows === "") return "";
  return joinBlocks([
    "## Filter and sort fields",
    syntaxLine,
    rows,
    ...resources.map(({ resource }) => resourceTable(resource, resources.length > 1)),
  ]).trimEnd();
}

function resourceTable(resource: string, titled: boolean): string {
  return joinBlocks([
    titled ? `### Fields of ${resource}` : "",
    htmlBlock(
      "members",
      Object.entries(tableOf(resource).fields)
        .map(([name, field]) => fieldHtml(name, field, titled ? `field-${resource}` : "field"))
        .join(""),
    ),
  ]).trimEnd();
}

type Field = FqlTable["fields"][string];

function fieldHtml(name: string, field: Field, anchor: string): string {
  const id = `${anchor}-${name}`;
  const type = `${field.array === true ? "list of " : ""}${field.type}`;
  const head = [
    `<code class="field-name">${escape(name)}</code>`,
    `<span class="member-type">${type}</span>`,
    ...(field.filterable === false
      ? ['<span class="member-optional">sorts only</span>']
      : field.sortable === true
        ? ['<span class="member-optional">also sorts</span>']
        : []),
    anchorLink(id, name),
  ];
  return `<div class="member" id="${escape(id)}"><div class="member-head">${head.join(" ")}</div>${notes(field)}</div>`;
}

/** What else a filter must know about a field: texts with inline code. */
export const fieldRules = (field: Field): readonly string[] => [
  ...(field.values === undefined
    ? []
    : [`Values: ${field.values.map((value) => code(value === "" ? "''" : value)).join(", ")}.`]),
  ...(field.match === "glob" ? [`${code("*")} is also a wildcard in a plain value.`] : []),
  ...(field.case === "insensitive" ? ["Case is ignored."] : []),
  ...(field.nullable === true ? ["May be absent."] : []),
];

function notes(field: Field): string {
  const rules = fieldRules(field).map(proseHtml).join(" ");
  const purpose =
    field.description === undefined ? "" : `<p>${linkedProseHtml(field.description)}</p>`;
  return rules === "" ? purpose : `${purpose}<p class="member-rules">${rules}</p>`;
}
