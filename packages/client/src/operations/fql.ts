import type { AnyInput } from "../wire/encode.ts";

/** Turns filter trees and lists of sort keys in the parameters `filter` and `sort` into text. */
export function printParameters(input: AnyInput): AnyInput | Promise<AnyInput> {
  const { filter, sort } = input;
  return [filter, sort].some((value) => typeof value === "object")
    ? printMembers(["filter", "sort"], { filter, sort }).then((text) => ({ ...input, ...text }))
    : input;
}

/** The same for the members with these names, at any depth. The code is loaded when it is needed. */
export async function printMembers(names: readonly string[], input: AnyInput): Promise<AnyInput> {
  const { printFql } = await import("./print-fql.ts");
  return printFql(names, input) as AnyInput;
}
