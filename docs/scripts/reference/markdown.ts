/** Markdown fragments that are safe for Markdown, for Vue and for table cells. */

/** Inline code for any text. */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** Prose of the document, in which only inline code and links are markup. */
export function prose(text: string): string {
  return text
    .trim()
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : escapeOutsideCode(part)))
    .join("");
}

/** Vue would read `{{` and tags; Markdown would read `*` and `_`. */
const escapeOutsideCode = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("{{", "{<wbr>{")
    .replaceAll(/[*_]/g, String.raw`\$&`);

type Cell = string | undefined;

/** A table; empty without rows. Cells are Markdown on one line. */
export function table(headers: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly Cell[]): string => `| ${cells.map(cellText).join(" | ")} |`;
  return [line(headers), `|${headers.map(() => " --- |").join("")}`, ...rows.map(line)].join("\n");
}

const cellText = (text: Cell): string =>
  (text ?? "").replaceAll("\n", " ").replaceAll("|", String.raw`\|`);

/** A fenced block; the fence is longer than any in the text. */
export function block(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

/** Blocks that are folded until a reader opens them. `title` is plain text. */
export const folded = (title: string, blocks: readonly string[]): readonly string[] =>
  blocks.every((part) => part === "")
    ? []
    : [`<details><summary>${title}</summary>`, ...blocks, "</details>"];

/** The same within a line, such as a cell of a table. */
export const foldedInline = (title: string, text: string): string =>
  `<details><summary>${title}</summary>${text}</details>`;

/** Non-empty blocks of a page, separated by blank lines. */
export const joinBlocks = (blocks: readonly string[]): string =>
  `${blocks.filter((part) => part !== "").join("\n\n")}\n`;
