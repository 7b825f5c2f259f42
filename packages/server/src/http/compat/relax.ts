import { Place, type IgnoredMembers } from "./ignored-members.ts";
import type { ValueRules } from "./value-rules.ts";

/**
 * Converts a value from the form of existing clients to the form of the document. Drops unknown members, a
 * null member that cannot be null, and unset values that the document does not allow for an optional member.
 * Reads enumerations ignoring case, and Go's zero time as null or as absent. Drops the empty ones among
 * members that exclude each other. Changes objects and lists in place.
 */
export function relax(
  rules: ValueRules,
  value: unknown,
  ignored: IgnoredMembers,
  place: Place | null = null,
): unknown {
  if (typeof value === "string") return rules.inDocumentedSpelling(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) relaxItems(rules, value, ignored, place);
  else relaxMembers(rules, value as Record<string, unknown>, ignored, place);
  return value;
}

function relaxItems(
  { items, maxItems }: ValueRules,
  values: unknown[],
  ignored: IgnoredMembers,
  place: Place | null,
): void {
  // Validation refuses a list that is too long, whatever its items are.
  if (values.length > maxItems) return;
  const inside = new Place(place, "[]");
  for (const [index, item] of values.entries()) values[index] = relax(items, item, ignored, inside);
}

function relaxMembers(
  rules: ValueRules,
  record: Record<string, unknown>,
  ignored: IgnoredMembers,
  place: Place | null,
): void {
  const { quirks } = rules;
  for (const [name, value] of Object.entries(record)) {
    const member = rules.member(name);
    if (member === undefined) {
      if (!rules.closed) continue;
      if (value !== null) ignored.add(place, name);
      delete record[name];
    } else if (value === null) {
      const keeps = !member.nullable || quirks.nullIsAbsent?.includes(name) === true;
      if (keeps) delete record[name];
    } else if (member.isInstant && isZeroInstant(value) && !rules.requires(name)) {
      const clears = member.nullable && quirks.zeroTimeIsAbsent?.includes(name) !== true;
      if (clears) record[name] = null;
      else delete record[name];
    } else {
      const inside = typeof value === "object" ? new Place(place, name) : null;
      record[name] = relax(member, value, ignored, inside);
      const isUnset = quirks.unset?.[name] === value || isUnsetIn(member, record[name]);
      if (isUnset && !rules.requires(name)) delete record[name];
    }
  }
  for (const [name, source] of Object.entries(quirks.copied ?? {})) {
    if (isAbsent(record[name]) && Object.hasOwn(record, source)) record[name] = record[source];
  }
  for (const [name, value] of Object.entries(quirks.defaults ?? {})) {
    if (!Object.hasOwn(record, name)) record[name] = value;
  }
  for (const members of rules.choices) dropEmpty(record, members);
}

/** The zero value of Go's `time.Time`. `omitempty` does not omit it. */
const isZeroInstant = (value: unknown): boolean =>
  typeof value === "string" && /^0001-01-01T00:00:00(?:\.0+)?Z$/.test(value);

const isAbsent = (value: unknown): boolean => value === undefined || value === "";

/** Whether a typed client sends this value because it cannot omit the member. */
function isUnsetIn(member: ValueRules, value: unknown): boolean {
  if (value === "") return member.refusesEmpty;
  return member.isDocumentedType(value) && isZero(value) && member.refuses(value);
}

/** Levels of a value that a typed client cannot omit; its types have fewer. */
const mostUnsetLevels = 8;

/**
 * Whether a value has no content: it is a zero value, or it has only members that are zero values. A deeper value counts
 * as content: it is read once for each level around it, which would take long.
 */
const isZero = (value: unknown, levels = mostUnsetLevels): boolean => {
  if (value === null || typeof value !== "object") return !value;
  if (Array.isArray(value)) return value.length === 0;
  return levels > 0 && Object.values(value).every((member) => isZero(member, levels - 1));
};

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
