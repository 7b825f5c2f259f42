const mark = "\u0001";

/**
 * The form of a text in a column. PostgreSQL cannot store U+0000, and UTF-8 cannot encode half of a surrogate
 * pair. Both are escaped with U+0001. Different texts have different forms.
 */
export function storedText(value: string): string {
  if (!value.includes("\0") && !value.includes(mark) && value.isWellFormed()) return value;
  return value
    .replaceAll(mark, `${mark}\u0002`)
    .replaceAll("\0", mark + mark)
    .replaceAll(/\p{Surrogate}/gu, (half) => `${mark}~${half.charCodeAt(0).toString(16)}`);
}

/** The inverse of `storedText`. */
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
      // An empty piece between two escape characters represents one U+0000.
      at += 1;
      original += `\0${pieces[at] ?? ""}`;
    }
  }
  return original;
}
