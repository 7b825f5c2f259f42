/**
 * Cells that a spreadsheet would run as a formula, and cells that need quotes. Authors of records must not
 * be able to run formulas.
 */
const special = /^[=+\-@\t]|[",\r\n]/;
const formula = /^[=+\-@\t\r]/;

export type Cell = string | number | boolean | readonly string[] | null | undefined;

/** One RFC 4180 record with its line end; lists are joined by semicolons. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  const text = typeof cell === "string" ? cell : cell.join(";");
  if (!special.test(text)) return text;
  const harmless = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
