import type { Answer } from "../calls/answer.ts";
import { pageOf } from "./list-in-memory.ts";

/** One page of a fixed list, such as the indicator types. */
export function listConstants(
  values: readonly string[],
  paging: { readonly limit: number; readonly offset?: number },
): Answer {
  const { items, page } = pageOf(values, paging);
  return { kind: "ids", ids: items, page };
}
