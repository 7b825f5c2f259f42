import type { Field, Fields } from "./fields.ts";
import type { Advice } from "../language/syntax-error.ts";
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

/** Maximum number of fields in an error. */
const mostNamed = 20;

/** The nearest field name to suggest, among those that support the `use`. Without one, their names. */
export function adviceForField(
  fields: Fields,
  spelling: string,
  use: (field: Field) => boolean,
): Advice {
  const names = Object.entries(fields).flatMap(([name, field]) => (use(field) ? [name] : []));
  const suggestion = nearest(spelling, names);
  if (suggestion !== undefined) return { suggestion };
  // Who knows a field will find its exact form.
  const distinct = names.filter(
    (name) => !names.includes(name.replace(/\.raw$/, "")) || !name.endsWith(".raw"),
  );
  const rest = distinct.length - mostNamed;
  const named = distinct.slice(0, mostNamed).join(", ");
  if (distinct.length === 0) return {};
  return { hint: `Expected one of ${named}${rest > 0 ? ` and ${rest} more` : ""}` };
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
