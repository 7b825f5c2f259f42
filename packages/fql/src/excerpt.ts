const before = 40;
const after = 30;

/** The text around `offset` on one line, and under it a caret. */
export function excerptAt(text: string, offset: number): string {
  const start = Math.max(0, offset - before);
  const end = Math.min(text.length, offset + after);
  const lead = start > 0 ? "…" : "";
  const tail = end < text.length ? "…" : "";
  const caret = `${" ".repeat(lead.length + offset - start)}^`;
  return `${lead}${printable(text.slice(start, end))}${tail}\n${caret}`;
}

/** Control characters, line breaks and lone surrogates replaced one for one. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => "·".repeat(char.length));
}

/** What a caller sent, short enough to stand in a message. */
export function clip(text: string): string {
  return printable(text.length <= 60 ? text : `${text.slice(0, 60)}…`);
}
