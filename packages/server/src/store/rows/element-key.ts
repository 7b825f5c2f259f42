import { createHash } from "node:crypto";

/** Keys of PostgreSQL's indexes have at most 2,704 bytes, including the other columns. */
const longestKey = 1_500;
const keptOfLonger = 1_400;
/** The escape character of stored texts, followed by a character that no escape uses. */
const cut = "\u0001#";

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
