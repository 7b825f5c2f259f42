import type { Filter } from "@security-platform/fql";
import type { AnyInput } from "../wire/encode.ts";
import type { Prepare } from "./operation.ts";

/** Turns filter trees and lists of sort keys in the parameters `filter` and `sort` into text. */
export async function printParameters({ filter, sort, ...input }: AnyInput): Promise<AnyInput> {
  return { ...input, filter: await printFql("filter", filter), sort: await printFql("sort", sort) };
}

/** The same for the members of a body with these names, at any depth. */
export const bodyPrinter =
  (members: readonly string[]): Prepare =>
  async ({ body, ...input }) => ({ ...input, body: await printDeep(members, body) });

/**
 * The text of a filter tree or of a list of sort keys, which the document always names `sort`. The printer is
 * loaded with the first tree.
 */
async function printFql(name: string, value: unknown): Promise<unknown> {
  if (isFilter(value)) {
    const { printFilter } = await import("@security-platform/fql");
    return printFilter(value);
  }
  if (name === "sort" && Array.isArray(value) && value.length > 0) return value.join(",");
  return value;
}

const isFilter = (value: unknown): value is Filter =>
  typeof value === "object" && value !== null && "kind" in value;

async function printDeep(names: readonly string[], value: unknown): Promise<unknown> {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Promise.all(value.map((item) => printDeep(names, item)));
  const print = async ([name, member]: [string, unknown]): Promise<[string, unknown]> => [
    name,
    await printDeep(names, names.includes(name) ? await printFql(name, member) : member),
  ];
  return Object.fromEntries(await Promise.all(Object.entries(value).map(print)));
}
