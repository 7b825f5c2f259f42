import { printFilter, type Filter } from "@security-platform/fql";
import type { AnyInput } from "../wire/encode.ts";
import type { Prepare } from "./operation.ts";

/** Turns filter trees and lists of sort keys in the parameters `filter` and `sort` into text. */
export function printParameters({ filter, sort, ...input }: AnyInput): AnyInput {
  return { ...input, filter: printFql("filter", filter), sort: printFql("sort", sort) };
}

/** The same for the members of a body with these names, at any depth. */
export const bodyPrinter =
  (members: readonly string[]): Prepare =>
  ({ body, ...input }) => ({ ...input, body: printDeep(members, body) });

/** The text of a filter tree or of a list of sort keys, which the document always names `sort`. */
export function printFql(name: string, value: unknown): unknown {
  if (isFilter(value)) return printFilter(value);
  if (name === "sort" && Array.isArray(value) && value.length > 0) return value.join(",");
  return value;
}

const isFilter = (value: unknown): value is Filter =>
  typeof value === "object" && value !== null && "kind" in value;

function printDeep(names: readonly string[], value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => printDeep(names, item));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]): [string, unknown] => [
      name,
      printDeep(names, names.includes(name) ? printFql(name, member) : member),
    ]),
  );
}
