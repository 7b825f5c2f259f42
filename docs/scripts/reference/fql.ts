import { fqlTables, type FqlField, type FqlTable, type Operation } from "@security-platform/spec";
import { code, joinBlocks, prose, table } from "./markdown.ts";

/** Which fields the filters and sorts of an operation know; empty where it has none. */
export function fieldsSection(operation: Operation): string {
  const uses = [
    ...operation.parameters.flatMap(({ name, fql }) => (fql === undefined ? [] : [{ name, fql }])),
    ...(operation.requestBody?.fql ?? []).map(({ path, ...fql }) => ({ name: path, fql })),
  ];
  const resources = new Set(uses.flatMap(({ fql }) => fql.resource ?? []));
  const rows = uses.filter(({ fql }) => fql.of === "rows").map(({ name }) => code(name));
  if (resources.size === 0 && rows.length === 0) return "";
  return joinBlocks([
    "## Filter and sort fields",
    "How to write them: [Filters](/guides/filters).",
    rows.length === 0
      ? ""
      : `${rows.join(" and ")} take the columns of the rows that reach the node, under the names they have there.`,
    ...[...resources].map((resource) => resourceTable(resource, resources.size > 1)),
  ]).trimEnd();
}

function resourceTable(resource: string, titled: boolean): string {
  const tables: Readonly<Record<string, FqlTable>> = fqlTables;
  const found = tables[resource];
  if (found === undefined) throw new Error(`the document has no x-fql table ${resource}`);
  const rows = Object.entries(found.fields).map(([name, field]) => [
    code(name),
    `${field.array === true ? "list of " : ""}${field.type}`,
    field.sortable === true ? "yes" : "",
    notes(field),
  ]);
  return joinBlocks([
    titled ? `### Fields of ${resource}` : "",
    table(["Field", "Type", "Sorts", "Notes"], rows),
  ]).trimEnd();
}

function notes(field: FqlField): string {
  const parts = [field.description === undefined ? "" : prose(field.description)];
  if (field.values !== undefined) {
    parts.push(
      `Values: ${field.values.map((value) => code(value === "" ? "''" : value)).join(", ")}.`,
    );
  }
  if (field.match === "glob") parts.push("`*` is a wildcard in a plain value, too.");
  if (field.case === "insensitive") parts.push("Upper and lower case are the same.");
  if (field.nullable === true) parts.push("May be absent.");
  if (field.filterable === false) parts.push("Sorts only.");
  return parts.filter((part) => part !== "").join(" ");
}
