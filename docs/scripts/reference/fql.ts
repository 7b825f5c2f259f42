import { fqlTables, type FqlTable, type Operation } from "@security-platform/spec";
import { codeHtml, escape, htmlBlock } from "./html.ts";
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

/** The fields of an operation's filters and sorts; empty if it has none. */
export function fieldsSection(operation: Operation): string {
  const resources = fieldResources(operation);
  const rows = usesOf(operation)
    .filter(({ fql }) => fql.of === "rows")
    .map(({ name }) => code(name));
  if (resources.length === 0 && rows.length === 0) return "";
  return joinBlocks([
    "## Filter and sort fields",
    "For the syntax see [Filters](/guides/filters).",
    rows.length === 0
      ? ""
      : `${rows.join(" and ")} use the columns of the node's input rows, with their current names.`,
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

function notes(field: Field): string {
  const rules = [
    ...(field.values === undefined
      ? []
      : [
          `Values: ${field.values.map((value) => codeHtml(value === "" ? "''" : value)).join(", ")}.`,
        ]),
    ...(field.match === "glob" ? [`${codeHtml("*")} is also a wildcard in a plain value.`] : []),
    ...(field.case === "insensitive" ? ["Case is ignored."] : []),
    ...(field.nullable === true ? ["May be absent."] : []),
  ];
  const purpose =
    field.description === undefined ? "" : `<p>${linkedProseHtml(field.description)}</p>`;
  return rules.length === 0 ? purpose : `${purpose}<p class="member-rules">${rules.join(" ")}</p>`;
}
