/** Cells that a spreadsheet would run as a formula. Authors of records must not be able to do that. */
const formula = /^[=+\-@\t\r]/;

type Cell = string | number | boolean | readonly string[] | null | undefined;

/** One RFC 4180 record with its line end; lists are joined by semicolons. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  const text = typeof cell === "string" ? cell : cell.join(";");
  const harmless = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
