type Row = Readonly<Record<string, unknown>>;

/** Aligned columns under a header; what a value lacks shows as a dash. */
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
  return `${[header, ...cells.map(line)].join("\n")}\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  if (Array.isArray(value)) return value.length > 3 ? `${value.length} items` : value.join(" ");
  return String(value);
}
