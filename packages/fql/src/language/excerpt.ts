const before = 40;
const after = 30;

/** The text around `offset` on one line, with a caret below it. */
export function excerptAt(text: string, offset: number): string {
  const start = Math.max(0, offset - before);
  const end = Math.min(text.length, offset + after);
  const lead = start > 0 ? "…" : "";
  const tail = end < text.length ? "…" : "";
  const caret = `${" ".repeat(lead.length + offset - start)}^`;
  return `${lead}${printable(text.slice(start, end))}${tail}\n${caret}`;
}

/** Replaces control characters, line breaks and lone surrogates one for one. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => "·".repeat(char.length));
}

/** Shortens input text for use in an error message. */
export function clip(text: string): string {
  return printable(text.length <= 60 ? text : `${text.slice(0, 60)}…`);
}
