/** Spreadsheets run cells that start with these as formulas, some also with full-width ones. */
const formula = /^[=+\-@＝＋－＠\t\r]/;

/**
 * One RFC 4180 record with its line end. Lists of scalars are joined by semicolons, other values are JSON.
 * Texts that a spreadsheet would run as a formula get an apostrophe, because authors of records must not run
 * code where they are read.
 */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(",")}\r\n`;

function cellOf(value: unknown): string {
  const text = textOf(value);
  const harmless = typeof value !== "number" && formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  const isPlain = Array.isArray(value) && value.every((item) => typeof item !== "object");
  return isPlain ? value.join(";") : JSON.stringify(value);
}
