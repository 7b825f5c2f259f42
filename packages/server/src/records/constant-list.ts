import type { Answer } from "../http/handler.ts";

/** One page of a list that the platform knows by heart, such as the indicator types. */
export function listConstants(
  values: readonly string[],
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): Answer {
  const ids = values.slice(offset, offset + limit);
  const next = offset + ids.length;
  return {
    kind: "ids",
    ids,
    page: {
      limit,
      offset,
      total: values.length,
      ...(next < values.length && ids.length > 0 ? { nextOffset: next } : {}),
    },
  };
}
