import { findField, isSortable, nearestField } from "./find-field.ts";
import type { Fields } from "./fields.ts";
import { clip } from "./excerpt.ts";
import { errorAt, type Advice, type FqlSyntaxError } from "./syntax-error.ts";

export interface SortKey {
  /** As the table spells it. */
  readonly field: string;
  readonly direction: "asc" | "desc";
}

const mostKeys = 5;
const longestText = 4096;

/**
 * The keys of `field`, `field.desc`, `field|asc`, …, comma-separated, after an optional `sort:`;
 * none for blank text. Ascending by default. Throws an `FqlSyntaxError` for more than five keys, and
 * for a field that is unknown, not sortable or named twice.
 */
export function parseSort(text: string, fields: Fields): readonly SortKey[] {
  if (text.length > longestText) {
    throw sortErrorAt(text, longestText, `the sort is longer than ${longestText} characters`);
  }
  const prefix = /^\s*(?:sort\s*:)?/.exec(text)?.[0].length ?? 0;
  if (text.slice(prefix).trim() === "") {
    if (prefix > 0 && text.trim() !== "")
      throw sortErrorAt(text, prefix, "expected a field to sort by");
    return [];
  }
  const keys: SortKey[] = [];
  let offset = prefix;
  for (const part of text.slice(prefix).split(",")) {
    const start = offset + part.length - part.trimStart().length;
    const key = readKey(part.trim(), text, start, fields);
    if (keys.some(({ field }) => field === key.field)) {
      throw sortErrorAt(text, start, `the field '${key.field}' is named twice`);
    }
    if (keys.length === mostKeys)
      throw sortErrorAt(text, start, `more than ${mostKeys} fields to sort by`);
    keys.push(key);
    offset += part.length + 1;
  }
  return keys;
}

function readKey(part: string, text: string, start: number, fields: Fields): SortKey {
  if (part === "") throw sortErrorAt(text, start, "expected a field to sort by");
  const { written, direction } = splitDirection(part);
  const found = findField(fields, written);
  if (found !== undefined && isSortable(found.field)) return { field: found.name, direction };
  const reason =
    found === undefined
      ? `unknown sort field '${clip(written)}'`
      : `'${found.name}' cannot be sorted by`;
  const suggestion = nearestField(fields, written, isSortable);
  throw sortErrorAt(text, start, reason, suggestion === undefined ? {} : { suggestion });
}

const sortErrorAt = (
  text: string,
  offset: number,
  reason: string,
  advice: Advice = {},
): FqlSyntaxError => errorAt(text, offset, reason, advice, "sort");

/** Splits at the last `.` or `|`, and only when a direction follows: field names have dots too. */
function splitDirection(part: string): { written: string; direction: "asc" | "desc" } {
  const at = Math.max(part.lastIndexOf("."), part.lastIndexOf("|"));
  const tail = part.slice(at + 1).toLowerCase();
  if (at < 0 || (tail !== "asc" && tail !== "desc")) return { written: part, direction: "asc" };
  return { written: part.slice(0, at), direction: tail };
}
