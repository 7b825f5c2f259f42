import type { Answer } from "../answer.ts";
import { pageOf } from "./list-in-memory.ts";

/** One page of a fixed list, such as the indicator types. */
export function listConstants(
  values: readonly string[],
  asked: { readonly limit: number; readonly offset?: number },
): Answer {
  const { items, page } = pageOf(values, asked);
  return { kind: "ids", ids: items, page };
}
