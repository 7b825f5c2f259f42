const mark = "\u0001";

/**
 * How a text stands in a column. PostgreSQL has no place for U+0000, and UTF-8 none for half a
 * surrogate pair, so both are spelt out behind U+0001; different texts stay different.
 */
export function storedText(value: string): string {
  if (!value.includes("\0") && !value.includes(mark) && value.isWellFormed()) return value;
  return value
    .replaceAll(mark, `${mark}\u0002`)
    .replaceAll("\0", mark + mark)
    .replaceAll(/\p{Surrogate}/gu, (half) => `${mark}~${half.charCodeAt(0).toString(16)}`);
}

/** The text that `storedText` was given. */
export function originalText(stored: string): string {
  if (!stored.includes(mark)) return stored;
  const pieces = stored.split(mark);
  let original = pieces[0] ?? "";
  for (let at = 1; at < pieces.length; at += 1) {
    const piece = pieces[at] ?? "";
    if (piece.startsWith("\u0002")) original += mark + piece.slice(1);
    else if (piece.startsWith("~")) {
      original += String.fromCharCode(Number.parseInt(piece.slice(1, 5), 16)) + piece.slice(5);
    } else {
      // Two marks in a row: the empty piece between them stands for one U+0000.
      at += 1;
      original += `\0${pieces[at] ?? ""}`;
    }
  }
  return original;
}
