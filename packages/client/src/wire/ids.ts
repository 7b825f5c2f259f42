import type { Answer } from "./answer.ts";
import type { Ids } from "./descriptor.ts";
import type { AnyInput } from "./encode.ts";

/** The answer of an operation that reads records by id. */
export type Records = Answer<readonly unknown[]>;

/** What the input has at the place of the ids. Of an input that is no object: undefined. */
export const readIds = ({ name, body }: Ids, input: AnyInput): unknown =>
  ((body === true ? input?.["body"] : input) as AnyInput | undefined)?.[name];

/** The input with these ids. */
export const withIds = ({ name, body }: Ids, input: AnyInput, ids: readonly unknown[]): AnyInput =>
  body === true
    ? { ...input, body: { ...(input["body"] as object | undefined), [name]: ids } }
    : { ...input, [name]: ids };
