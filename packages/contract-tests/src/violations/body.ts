import { isObject, type Site } from "../schemas/sites.ts";
import type { RequestParts } from "../requests/request.ts";
import { placeOf, valueAt, withValueAt, withoutValueAt } from "../schemas/json-path.ts";
import { typesOf } from "../schemas/resolve-schema.ts";
import { wrongValues, type WrongValue } from "../schemas/wrong-values.ts";
import type { RequestViolation } from "./violation.ts";

/** One violation for every schema rule at the sites of a valid body. */
export const bodyViolations = (
  sites: readonly Site[],
  body: unknown,
): readonly RequestViolation[] =>
  sites.flatMap((site) => [
    ...wrongAt(site),
    ...wrongMembers(site, body),
    ...wrongItems(site, body),
  ]);

function violation(
  site: Site,
  kind: string,
  apply: (body: unknown) => unknown,
  law: RequestViolation["law"] = "shape",
  path = site.path,
): RequestViolation {
  const places = [path, ...(site.choice === null ? [] : [site.choice])];
  return {
    name: `${placeOf("body", path)} ${kind}`,
    law,
    apply: (parts: RequestParts) => ({ ...parts, body: apply(parts.body) }),
    named: [places.map((each) => placeOf("body", each))],
  };
}

function wrongAt(site: Site): readonly RequestViolation[] {
  const set = ({ kind, value, limit }: WrongValue): RequestViolation => ({
    ...violation(
      site,
      kind,
      (body) => withValueAt(body, site.path, value),
      limit ? "limits" : "shape",
    ),
    ...absentIf(site.isOptional && isZero(value)),
  });
  return wrongValues(site.schema).map(set);
}

function wrongMembers(site: Site, body: unknown): readonly RequestViolation[] {
  const { path, schema } = site;
  const value = valueAt(body, path);
  const properties = Object.keys((schema["properties"] ?? {}) as object);
  if (!isObject(value) || properties.length === 0) return [];
  const required = (schema["required"] ?? []) as readonly string[];
  const unknown = (name: string): RequestViolation => {
    const place = [...path, name];
    const set = (input: unknown) => withValueAt(input, place, "1");
    return { ...violation(site, "which does not exist", set, "shape", place), isAbsent: true };
  };
  return [
    unknown("no_such_field"),
    ...required
      .filter((name) => name in value)
      .map((name) => {
        const place = [...path, name];
        const remove = (input: unknown) => withoutValueAt(input, place);
        const { [name]: _removed, ...others } = value;
        return {
          ...violation(site, "missing", remove, "shape", place),
          ...absentIf(site.isOptional && isZero(others)),
        };
      }),
  ];
}

const absentIf = (isAbsent: boolean) => (isAbsent ? { isAbsent } : {});

/** Null, a zero value, or an object that has only such members. */
const isZero = (value: unknown): boolean => {
  if (value === null || typeof value !== "object") return !value;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isZero);
};

const largestList = 4_000;

function wrongItems(site: Site, body: unknown): readonly RequestViolation[] {
  const { path, schema } = site;
  if (!typesOf(schema).includes("array")) return [];
  const { minItems, maxItems, uniqueItems } = schema;
  const items = valueAt(body, path);
  const first: unknown = Array.isArray(items) ? items[0] : undefined;
  const set = (kind: string, list: readonly unknown[], law: RequestViolation["law"]) =>
    violation(site, kind, (input) => withValueAt(input, path, list), law);
  return [
    ...(typeof minItems === "number" && minItems > 0
      ? [{ ...set("empty", [], "limits"), ...absentIf(site.isOptional) }]
      : []),
    ...(typeof maxItems === "number" && maxItems < largestList && first !== undefined
      ? [set(`with more than ${maxItems} items`, numbered(first, maxItems + 1), "limits")]
      : []),
    ...(uniqueItems === true && first !== undefined
      ? [set("with an item twice", [first, first], "shape")]
      : []),
  ];
}

/** Copies that differ if they are texts, so that they do not violate uniqueness first. */
const numbered = (item: unknown, count: number): readonly unknown[] =>
  Array.from({ length: count }, (_none, index) =>
    typeof item === "string" ? `${item}${index}` : item,
  );
