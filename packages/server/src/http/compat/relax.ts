import type { Shape } from "./shape.ts";

/**
 * Converts a value from the form of existing clients to the form of the document. Drops a null member that
 * cannot be null, an empty text of an optional member that cannot be empty, and Go's zero time. Reads
 * enumerations ignoring case. Drops the empty ones among members that exclude each other. Changes objects and
 * lists in place.
 */
export function relax(shape: Shape, value: unknown): unknown {
  if (typeof value === "string") return inDocumentedSpelling(shape, value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) relaxItems(shape, value);
  else relaxMembers(shape, value as Record<string, unknown>);
  return value;
}

function inDocumentedSpelling({ spellings }: Shape, text: string): string {
  if (spellings === null || spellings.size === 0) return text;
  return spellings.get(text) ?? spellings.get(text.toLowerCase()) ?? text;
}

function relaxItems({ items, maxItems }: Shape, values: unknown[]): void {
  // Validation refuses a list that is too long, whatever its items are.
  if (values.length > maxItems) return;
  for (const [index, item] of values.entries()) values[index] = relax(items, item);
}

function relaxMembers(shape: Shape, record: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(record)) {
    const member = shape.member(name);
    if (value === null) {
      if (member === undefined ? shape.closed : !member.nullable) delete record[name];
    } else if (member !== undefined && !shape.requires(name) && isUnset(member, value)) {
      delete record[name];
    } else if (member !== undefined) {
      record[name] = relax(member, value);
    }
  }
  for (const members of shape.choices) dropEmpty(record, members);
}

const isUnset = (member: Shape, value: unknown): boolean =>
  (value === "" && member.refusesEmpty) || (member.isInstant && isZeroInstant(value));

/** The zero value of Go's `time.Time`. `omitempty` does not omit it. */
const isZeroInstant = (value: unknown): boolean =>
  typeof value === "string" && /^0001-01-01T00:00:00(?:\.0+)?Z$/.test(value);

/** Drops the empty members among those that exclude each other, if another one has content. */
function dropEmpty(record: Record<string, unknown>, members: readonly string[]): void {
  const present = members.filter((name) => Object.hasOwn(record, name));
  const empty = present.filter((name) => isEmpty(record[name]));
  if (empty.length === present.length) return;
  for (const name of empty) delete record[name];
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isEmpty);
}
