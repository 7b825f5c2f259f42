import { printable } from "./printable.ts";

type Row = Readonly<Record<string, unknown>>;

/** A longer list is replaced by its length. */
const listedItems = 3;

/** Aligned columns under a header; missing values appear as a dash. */
export function formatTable(columns: readonly string[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map((column) => cell(row[column])));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((line) => line[index]?.length ?? 0)),
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  const header = line(columns.map((column) => column.toUpperCase().replaceAll("_", " ")));
  return [header, ...cells.map(line), ""].join("\n");
}

/** `name  value` lines, aligned. */
export function formatFacts(facts: readonly (readonly [name: string, value: unknown])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}\n`).join("");
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  if (!Array.isArray(value)) return printable(String(value));
  return value.length > listedItems ? `${value.length} items` : printable(value.join(" "));
}
