import type { Descriptor } from "../wire/descriptor.ts";
import type { AnyInput } from "../wire/encode.ts";

/** Turns filter trees and lists of sort keys in the parameters `filter` and `sort` into text. */
export function printParameters(input: AnyInput): AnyInput | Promise<AnyInput> {
  const { filter, sort } = input;
  return [filter, sort].some((value) => typeof value === "object")
    ? printMembers(["filter", "sort"], { filter, sort }).then((text) => ({ ...input, ...text }))
    : input;
}

/** The same for all filters and sort orders of an operation, also in its body. */
export async function printInput({ fql }: Descriptor, input: AnyInput): Promise<AnyInput> {
  const { body } = input;
  const members = fql === undefined ? {} : await printMembers(fql, { body });
  return { ...(await printParameters(input)), ...members };
}

/** The same for the members with these names, at any depth. The code is loaded when it is needed. */
export async function printMembers(names: readonly string[], input: AnyInput): Promise<AnyInput> {
  const { printFql } = await import("./print-fql.ts");
  return printFql(names, input) as AnyInput;
}
