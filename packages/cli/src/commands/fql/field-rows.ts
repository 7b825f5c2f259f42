import type { Field, Fields, FieldType } from "@security-platform/fql";

/** What `secplat fql fields` shows of a field. */
export interface FieldRow {
  readonly field: string;
  readonly type: FieldType;
  /** The record has a list; a condition is true if it is true for any entry. */
  readonly list: boolean;
  readonly sortable: boolean;
  /** Empty for fields that only sort. */
  readonly operators: readonly string[];
  /** The only values that the field has; null for any. */
  readonly values: readonly string[] | null;
  /** A valid condition; a sort for fields that only sort. */
  readonly example: string;
  readonly description: string | null;
}

export const fieldRows = (fields: Fields): readonly FieldRow[] =>
  Object.entries(fields).map(([name, field]) => ({
    field: name,
    type: field.type,
    list: field.array === true,
    sortable: field.sortable === true,
    operators: field.filterable === false ? [] : operators[field.type],
    values: field.values ?? null,
    example: field.filterable === false ? `${name}.asc` : `${name}:${exampleValue(field)}`,
    description: field.description ?? null,
  }));

/** The operators of a field by its type, as the guide to filters lists them. */
const operators: Readonly<Record<FieldType, readonly string[]>> = {
  string: [":", ":!", ":>", ":>=", ":<", ":<=", ":*", ":~", ":~*"],
  number: [":", ":!", ":>", ":>=", ":<", ":<="],
  boolean: [":", ":!"],
  timestamp: [":", ":!", ":>", ":>=", ":<", ":<="],
  ip: [":", ":!"],
};

function exampleValue({ type, values, match, form }: Field): string {
  const [first, second] = (values ?? []).filter((value) => value !== "");
  if (first !== undefined) return second === undefined ? quoted(first) : list([first, second]);
  if (form === "tenant-id") return quoted("0123456789abcdef0123456789abcdef");
  if (match === "glob") return quoted("a*");
  return {
    string: "*'a*'",
    number: ">=50",
    boolean: "true",
    timestamp: ">'now-7d'",
    ip: "'192.0.2.0/24'",
  }[type];
}

const quoted = (value: string): string => `'${value.replaceAll(/['\\]/g, "\\$&")}'`;

const list = (values: readonly string[]): string => `[${values.map(quoted).join(",")}]`;
