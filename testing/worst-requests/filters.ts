import { defaultLimits } from "@security-platform/fql";
import { fqlTables, type FqlTable } from "@security-platform/spec";

const tables: Readonly<Record<string, FqlTable>> = fqlTables;

const { conditions, listItems, properties, nesting } = defaultLimits;

/** Long filters of different shapes for a kind of record, none longer than `bytes`. */
export function longFilters(resource: string, bytes: number): Readonly<Record<string, string>> {
  const fields = Object.entries(tables[resource]?.fields ?? {}).filter(
    ([, { filterable }]) => filterable !== false,
  );
  const texts = fields.filter(([, { type }]) => type === "string");
  const free = texts.filter(([, { values }]) => values === undefined);
  const [name] = free.find(([, field]) => field.array !== true) ?? texts[0] ?? fields[0] ?? [];
  if (name === undefined) return {};
  const [list = name] = free.find(([, field]) => field.array === true) ?? [];
  const forms = fields.slice(0, properties).map(
    ([field, described]) =>
      (index: number) =>
        `${field}:${index % 3 === 0 ? "!" : ""}${valueOf(described, index)}`,
  );
  const mixed = (index: number): string => forms[index % forms.length]?.(index) ?? "";
  return {
    alternatives: joined(bytes, ",", (index) => `${name}:'value ${index}'`),
    exclusions: joined(bytes, "+", (index) => `${list}:!'value ${index}'`),
    globs: joined(bytes, ",", (index) => `${name}:*'*a*b${index}*'`),
    words: joined(bytes, ",", (index) => `${name}:~'word ${index}'`),
    list: `${name}:[${joined(bytes - name.length - 4, ",", (index) => `'value ${index}'`, listItems)}]`,
    glob: `${name}:*'${"*a".repeat((bytes - name.length - 8) / 2)}*b'`,
    text: `${name}:~'${"a b ".repeat((bytes - name.length - 8) / 4)}'`,
    fields: joined(
      bytes,
      ",",
      (index) => `${mixed(2 * index)}+${mixed(2 * index + 1)}`,
      conditions / 2,
    ),
    nested:
      "(".repeat(nesting - 2) +
      joined(
        bytes - 2 * nesting,
        "+",
        (index) => `(${mixed(3 * index)},${mixed(3 * index + 1)})`,
        conditions / 2,
      ) +
      ")".repeat(nesting - 2),
  };
}

function valueOf({ type, values }: FqlTable["fields"][string], index: number): string {
  const documentedValue = values?.[index % values.length];
  if (documentedValue !== undefined && documentedValue !== null)
    return `'${String(documentedValue)}'`;
  switch (type) {
    case "number":
      return String(index);
    case "boolean":
      return index % 2 === 0 ? "true" : "false";
    case "timestamp":
      return `'2026-0${1 + (index % 9)}-01T00:00:00Z'`;
    case "ip":
      return `'10.0.${index % 256}.0/24'`;
    default:
      return `'value ${index}'`;
  }
}

/** Joins as many parts as `bytes` and `most` allow. */
function joined(
  bytes: number,
  separator: string,
  part: (index: number) => string,
  most = conditions,
): string {
  const parts: string[] = [];
  for (let length = 0; parts.length < most;) {
    const next = part(parts.length);
    length += next.length + separator.length;
    if (length > bytes) break;
    parts.push(next);
  }
  return parts.join(separator);
}
