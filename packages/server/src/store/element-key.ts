import { createHash } from "node:crypto";

/** PostgreSQL's indexes hold no longer keys than 2,704 bytes, other columns included. */
const longestKey = 1_500;
const keptOfLonger = 1_400;
/** Behind the mark of stored texts, with a character that they do not use there. */
const cut = "\u0001#";

/** Whether the index of elements holds a text in part only. */
export const isLong = (text: string): boolean =>
  text.length * 3 > longestKey && Buffer.byteLength(text) > longestKey;

/** How the index of elements holds a text: a long one by its start and its digest. */
export function elementKey(text: string): string {
  if (!isLong(text)) return text;
  return startOf(text) + cut + createHash("sha256").update(text).digest("base64url");
}

/** What the keys of all texts that begin with `prefix` begin with. */
export const prefixKey = (prefix: string): string =>
  Buffer.byteLength(prefix) > keptOfLonger ? startOf(prefix) : prefix;

/** A key as it reads: a long text ends in an ellipsis. */
export function readableKey(key: string): string {
  const end = key.indexOf(cut);
  return end === -1 ? key : `${key.slice(0, end)}…`;
}

/** Whole characters, at most `keptOfLonger` bytes of them. */
function startOf(text: string): string {
  const bytes = Buffer.from(text);
  let end = Math.min(bytes.length, keptOfLonger);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString("utf8");
}
