import { printFilter, type Filter } from "@security-platform/fql";

/**
 * A copy in which filter trees and lists of sort keys are text, in the members with these names at any depth.
 * The document always names a sort order `sort`.
 */
export function printFql(names: readonly string[], value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => printFql(names, item));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]): [string, unknown] => [
      name,
      printFql(names, names.includes(name) ? print(name, member) : member),
    ]),
  );
}

function print(name: string, value: unknown): unknown {
  if (isFilter(value)) return printFilter(value);
  if (name === "sort" && Array.isArray(value) && value.length > 0) return value.join(",");
  return value;
}

const isFilter = (value: unknown): value is Filter =>
  typeof value === "object" && value !== null && "kind" in value;
