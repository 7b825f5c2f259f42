import type { Field, Fields } from "./fields.ts";
import { nearest } from "./nearest.ts";

export interface NamedField {
  /** As the table spells it. */
  readonly name: string;
  readonly field: Field;
}

const namesByLowerCase = new WeakMap<Fields, ReadonlyMap<string, string>>();

/** The field that `written` names, in any case; undefined if the table has none. */
export function findField(fields: Fields, written: string): NamedField | undefined {
  const name = Object.hasOwn(fields, written)
    ? written
    : lowerCaseNames(fields).get(written.toLowerCase());
  const field = name === undefined ? undefined : fields[name];
  return name === undefined || field === undefined ? undefined : { name, field };
}

/** The field that was probably meant by `written`, among those that serve the `use`. */
export function nearestField(
  fields: Fields,
  written: string,
  use: (field: Field) => boolean,
): string | undefined {
  const names = Object.entries(fields).flatMap(([name, field]) => (use(field) ? [name] : []));
  return nearest(written, names);
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
