import { adviceForField, findField, isSortable } from "./find-field.ts";
import type { Fields } from "./fields.ts";
import { clip } from "../language/excerpt.ts";
import { errorAt, type Advice, type FqlSyntaxError } from "../language/syntax-error.ts";

export interface SortKey {
  /** Spelled as in the table. */
  readonly field: string;
  readonly direction: "asc" | "desc";
}

const maximumKeys = 5;
const maximumLength = 4096;

/**
 * The keys of a comma-separated sort such as `field`, `field.desc` or `field|asc`, with an optional `sort:`
 * prefix; none for blank text. The default direction is ascending. Throws an `FqlSyntaxError` for more than
 * five keys, and for a field that is unknown, not sortable or repeated.
 */
export function parseSort(text: string, fields: Fields): readonly SortKey[] {
  if (text.length > maximumLength) {
    throw sortErrorAt(
      text,
      maximumLength,
      `the sort expression is longer than ${maximumLength} characters`,
    );
  }
  const prefix = /^\s*(?:sort\s*:)?/.exec(text)?.[0].length ?? 0;
  if (text.slice(prefix).trim() === "") {
    if (prefix > 0 && text.trim() !== "") throw sortErrorAt(text, prefix, "expected a sort field");
    return [];
  }
  const keys: SortKey[] = [];
  let offset = prefix;
  for (const part of text.slice(prefix).split(",")) {
    const start = offset + part.length - part.trimStart().length;
    const key = readKey(part.trim(), text, start, fields);
    if (keys.some(({ field }) => field === key.field)) {
      throw sortErrorAt(text, start, `the field '${key.field}' appears twice`);
    }
    if (keys.length === maximumKeys)
      throw sortErrorAt(text, start, `more than ${maximumKeys} sort fields`);
    keys.push(key);
    offset += part.length + 1;
  }
  return keys;
}

function readKey(part: string, text: string, start: number, fields: Fields): SortKey {
  if (part === "") throw sortErrorAt(text, start, "expected a sort field");
  const { name, direction } = splitDirection(part);
  const match = findField(fields, name);
  if (match !== undefined && isSortable(match.field)) return { field: match.name, direction };
  const reason =
    match === undefined
      ? `unknown sort field '${clip(name)}'`
      : `'${match.name}' does not support sorting`;
  throw sortErrorAt(text, start, reason, adviceForField(fields, name, isSortable));
}

const sortErrorAt = (
  text: string,
  offset: number,
  reason: string,
  advice: Advice = {},
): FqlSyntaxError => errorAt(text, offset, reason, advice, "sort");

/**
 * Splits at the last `.` or `|`, but only before a direction, because field names contain dots too.
 */
function splitDirection(part: string): { name: string; direction: "asc" | "desc" } {
  const at = Math.max(part.lastIndexOf("."), part.lastIndexOf("|"));
  const tail = part.slice(at + 1).toLowerCase();
  if (at < 0 || (tail !== "asc" && tail !== "desc")) return { name: part, direction: "asc" };
  return { name: part.slice(0, at), direction: tail };
}
