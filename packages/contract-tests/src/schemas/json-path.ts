/** The place of a value inside another. */
export type JsonPath = readonly (string | number)[];

/** `body.indicators[0].type`, as error messages write it. */
export const placeOf = (root: string, path: JsonPath): string =>
  root + path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");

export function valueAt(value: unknown, path: JsonPath): unknown {
  let current = value;
  for (const part of path) {
    if (current === null || typeof current !== "object") return undefined;
    current = (current as Readonly<Record<string | number, unknown>>)[part];
  }
  return current;
}

/** A copy with another value at the path; missing objects along the path are created. */
export function withValueAt(value: unknown, path: JsonPath, replacement: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      index === first ? withValueAt(item, rest, replacement) : (item as unknown),
    );
  }
  const record = (value ?? {}) as Readonly<Record<string, unknown>>;
  return { ...record, [first]: withValueAt(record[first], rest, replacement) };
}

/** A copy without the member at the path. */
export function withoutValueAt(value: unknown, path: JsonPath): unknown {
  const parent = path.slice(0, -1);
  const name = path.at(-1);
  const record = valueAt(value, parent) as Readonly<Record<string, unknown>>;
  const remaining = Object.entries(record).filter(([member]) => member !== name);
  return withValueAt(value, parent, Object.fromEntries(remaining));
}
