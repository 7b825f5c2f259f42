import { nearest } from "@security-platform/fql";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";

export type Row = Readonly<Record<string, unknown>>;

/** A record as a row; any other value is its only member. */
export const rowOf = (value: unknown): Row =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Row) : { value };

/** The value at a dotted path such as `metadata.filename`; undefined if there is none. */
export function valueAt(value: unknown, path: string): unknown {
  // A member whose name contains dots.
  if (typeof value === "object" && value !== null && Object.hasOwn(value, path)) {
    return (value as Row)[path];
  }
  return path
    .split(".")
    .reduce<unknown>((inner, name) => (inner as Row | null | undefined)?.[name], value);
}

/** A record with only these fields, which are named by their paths. */
export const withFields = (value: unknown, fields: readonly string[]): Row =>
  Object.fromEntries(fields.map((field) => [field, valueAt(value, field) ?? null]));

/** Throws a `CommandError` that names the nearest field if no record has one of `fields`. */
export function requireFields(fields: readonly string[], records: readonly unknown[]): void {
  if (records.length === 0) return;
  const unknown = fields.find((field) =>
    records.every((record) => valueAt(record, field) === undefined),
  );
  if (unknown === undefined) return;
  const fieldNames = [...new Set(records.flatMap((record) => Object.keys(rowOf(record))))];
  const near = nearest(unknown, fieldNames);
  throw new CommandError(
    `--fields: no record has ${unknown}. ` +
      (near === undefined ? `There are ${fieldNames.join(", ")}.` : `Did you mean ${near}?`),
    exitCodes.usage,
  );
}
