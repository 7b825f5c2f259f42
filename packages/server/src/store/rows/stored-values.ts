import { createHash } from "node:crypto";
import type { Scalar } from "@security-platform/fql";
import type { FieldColumns } from "./columns.ts";

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

/** Keys of PostgreSQL's indexes have at most 2,704 bytes, including the other columns. */
const longestKey = 1_500;
const keptOfLonger = 1_400;
/** No escape uses this character. */
const cut = `${mark}#`;

/** Whether the index of elements holds only a part of a text. */
export const isLong = (text: string): boolean =>
  text.length * 3 > longestKey && Buffer.byteLength(text) > longestKey;

/** The text in the index of elements. A long text is replaced by its start and its digest. */
export function elementKey(text: string): string {
  if (!isLong(text)) return text;
  return startOf(text) + cut + createHash("sha256").update(text).digest("base64url");
}

/** The common prefix of the keys of all texts that begin with `prefix`. */
export const prefixKey = (prefix: string): string =>
  Buffer.byteLength(prefix) > keptOfLonger ? startOf(prefix) : prefix;

/** The readable text of a key. A long text ends with an ellipsis. */
export function readableKey(key: string): string {
  const end = key.indexOf(cut);
  return end === -1 ? key : `${key.slice(0, end)}…`;
}

/** The first whole characters of a text, at most `keptOfLonger` bytes. */
function startOf(text: string): string {
  const bytes = Buffer.from(text);
  let end = Math.min(bytes.length, keptOfLonger);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString("utf8");
}

/** A value in the form of the field's column, or of the values table. */
export function storedValue(value: Scalar, { type, field }: FieldColumns): Scalar {
  if (typeof value === "string") return storedText(value);
  return field.array === true && type === "boolean" ? String(value) : value;
}

/** A value in the form of the index, which holds the start of a long element. Folded elements are there in full. */
export function indexedValue(value: Scalar, columns: FieldColumns): Scalar {
  const full = storedValue(value, columns);
  return columns.field.array === true && typeof full === "string" ? elementKey(full) : full;
}
