/** A row of a Markdown table: its cells by the header of their column. */
export type Row = Readonly<Record<string, string>> & { readonly line: number };

/** The rows of all tables of a page, in order, including those inside blocks. */
export function tableRows(markdown: string): readonly Row[] {
  const rows: Row[] = [];
  let headers: readonly string[] | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (!line.startsWith("|")) headers = undefined;
    else if (headers === undefined) headers = cellsOf(line);
    else if (!/^[|\s:-]+$/.test(line) || headers.length === 0) {
      const cells = cellsOf(line);
      const entries = headers.map((header, column) => [header, cells[column] ?? ""] as const);
      rows.push({ ...Object.fromEntries(entries), line: index + 1 } as Row);
    }
  }
  return rows;
}

function cellsOf(line: string): readonly string[] {
  return line
    .slice(1)
    .split(/(?<!\\)\|/)
    .slice(0, -1)
    .map((cell) => cell.replaceAll(String.raw`\|`, "|").trim());
}

/** The pieces of inline code in a cell. */
export const codeIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, text]) => text ?? []);
