import { fqlTables, type FqlTable, type Operation } from "@security-platform/spec";
import { code, joinBlocks, prose, table } from "./markdown.ts";

/** The fields of an operation's filters and sorts; empty if it has none. */
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
    "For the syntax see [Filters](/guides/filters).",
    rows.length === 0
      ? ""
      : `${rows.join(" and ")} use the columns of the node's input rows, with their current names.`,
    ...[...resources].map((resource) => resourceTable(resource, resources.size > 1)),
  ]).trimEnd();
}

function resourceTable(resource: string, titled: boolean): string {
  const tables: Readonly<Record<string, FqlTable>> = fqlTables;
  const fqlTable = tables[resource];
  if (fqlTable === undefined) throw new Error(`the document has no x-fql table ${resource}`);
  const rows = Object.entries(fqlTable.fields).map(([name, field]) => [
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

function notes(field: FqlTable["fields"][string]): string {
  const parts = [field.description === undefined ? "" : prose(field.description)];
  if (field.values !== undefined) {
    parts.push(
      `Values: ${field.values.map((value) => code(value === "" ? "''" : value)).join(", ")}.`,
    );
  }
  if (field.match === "glob") parts.push("`*` is also a wildcard in a plain value.");
  if (field.case === "insensitive") parts.push("Case is ignored.");
  if (field.nullable === true) parts.push("May be absent.");
  if (field.filterable === false) parts.push("Sort only.");
  return parts.filter((part) => part !== "").join(" ");
}
