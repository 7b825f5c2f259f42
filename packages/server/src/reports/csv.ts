/**
 * Cells that a spreadsheet would run as a formula, with signs of any width, and cells that need quotes. Authors of records must not
 * be able to run formulas.
 */
const special = /^[=+\-@＝＋－＠\t]|[",\r\n]/;
const formula = /^[=+\-@＝＋－＠\t\r]/;

export type Cell = string | number | boolean | readonly string[] | null | undefined;

/** One RFC 4180 record with its line end; lists are joined by semicolons. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

function cellText(cell: Cell): string {
  if (typeof cell === "string") return special.test(cell) ? escaped(cell) : cell;
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "object") return cellText(cell.join(";"));
  return String(cell);
}

function escaped(text: string): string {
  const harmless = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
