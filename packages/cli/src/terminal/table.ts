import { printable } from "./printable.ts";
import type { Output } from "./cli-context.ts";

type Row = Readonly<Record<string, unknown>>;

/** A longer list is replaced by its length. */
const listedItems = 3;

/** A table whose columns and widths are known. */
export interface Table {
  /** The shown columns. */
  readonly columns: readonly string[];
  readonly header: string;
  line(row: Row): string;
}

/** The columns of a table, with widths for `rows`. On a terminal they fit its width. */
export function tableOf(
  columns: readonly string[],
  rows: readonly Row[],
  { isTTY, columns: width }: Pick<Output, "isTTY" | "columns"> = {},
): Table {
  const titles = columns.map((column) => column.toUpperCase().replaceAll("_", " "));
  const widest = columns.map((column, index) =>
    Math.max(titles[index]?.length ?? 0, ...rows.map((row) => cell(row[column]).length)),
  );
  // Some terminals report 0 for an unknown width.
  const widths = isTTY === true ? fitted(widest, width || 80) : widest;
  const line = (texts: readonly string[]): string =>
    `${widths
      .map((size, index) => shortened(texts[index] ?? "", size).padEnd(size))
      .join(gap)
      .trimEnd()}\n`;
  return {
    columns: columns.slice(0, widths.length),
    header: line(titles),
    line: (row) => line(columns.map((column) => cell(row[column]))),
  };

  function shortened(text: string, size: number): string {
    return isTTY === true && text.length > size ? `${text.slice(0, size - 1)}…` : text;
  }
}

/** Aligned columns under a header; missing values appear as a dash. */
export function formatTable(columns: readonly string[], rows: readonly Row[]): string {
  const { header, line } = tableOf(columns, rows);
  return [header, ...rows.map(line)].join("");
}

const gap = "  ";
const narrowest = 6;

/** Makes the widest columns narrower, then omits the last ones, until the columns fit `total`. */
function fitted(widths: readonly number[], total: number): readonly number[] {
  let fitting = [...widths];
  const excess = (): number =>
    fitting.reduce((sum, width) => sum + width + gap.length, -gap.length) - total;
  while (excess() > 0) {
    const widest = Math.max(...fitting);
    if (widest > narrowest * 4 || fitting.length === 1) {
      const next = Math.max(narrowest, ...fitting.filter((width) => width < widest));
      const count = fitting.filter((width) => width === widest).length;
      const target = Math.max(narrowest, next, Math.floor(widest - excess() / count));
      const limit = target === widest ? widest - 1 : target;
      if (widest <= narrowest) break;
      fitting = fitting.map((width) => Math.min(width, limit));
    } else {
      fitting = fitting.slice(0, -1);
    }
  }
  return fitting;
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
