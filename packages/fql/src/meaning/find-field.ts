import type { Field, Fields } from "./fields.ts";
import { nearest } from "../language/nearest.ts";

export interface NamedField {
  /** Spelled as in the table. */
  readonly name: string;
  readonly field: Field;
}

const namesByLowerCase = new WeakMap<Fields, ReadonlyMap<string, string>>();

/** The field with this name, ignoring case; undefined if the table has none. */
export function findField(fields: Fields, spelling: string): NamedField | undefined {
  const name = Object.hasOwn(fields, spelling)
    ? spelling
    : lowerCaseNames(fields).get(spelling.toLowerCase());
  const field = name === undefined ? undefined : fields[name];
  return name === undefined || field === undefined ? undefined : { name, field };
}

/** The nearest field name to suggest, among those that support the `use`. */
export function nearestField(
  fields: Fields,
  spelling: string,
  use: (field: Field) => boolean,
): string | undefined {
  const names = Object.entries(fields).flatMap(([name, field]) => (use(field) ? [name] : []));
  return nearest(spelling, names);
}

export function isFilterable(field: Field): boolean {
  return field.filterable !== false;
}

export function isSortable(field: Field): boolean {
  return field.sortable === true;
}

function lowerCaseNames(fields: Fields): ReadonlyMap<string, string> {
  let names = namesByLowerCase.get(fields);
  if (names === undefined) {
    names = new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name]));
    namesByLowerCase.set(fields, names);
  }
  return names;
}
