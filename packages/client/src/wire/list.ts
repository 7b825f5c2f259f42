import type { Answer } from "./answer.ts";
import type { Descriptor, List } from "./descriptor.ts";
import type { AnyInput } from "./encode.ts";

/** The answer of an operation that reads records by id. */
export type Records = Answer<readonly unknown[]>;

/** The list in the input; undefined if the input is no object. */
export const readList = ([name, , place]: List, input: AnyInput): unknown =>
  ((place === undefined ? input : input?.[place]) as AnyInput | undefined)?.[name];

/** Whether the list in the input is too long for one request. */
export function isTooLong({ list }: Descriptor, input: AnyInput): boolean {
  const entries = list && readList(list, input);
  return Array.isArray(entries) && entries.length > (list as List)[1];
}

/** The input with this list. */
export const withList = (
  [name, , place]: List,
  input: AnyInput,
  entries: readonly unknown[],
): AnyInput => {
  const list = { [name]: entries };
  return place === undefined
    ? { ...input, ...list }
    : { ...input, [place]: { ...(input[place] as object | undefined), ...list } };
};
