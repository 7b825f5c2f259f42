import type { ListAnswer } from "../wire/answer.ts";
import type { ListOptions } from "../sending/call-options.ts";
import type { Pager } from "./paging.ts";

/**
 * The call of a list operation. Awaited, it is the first page; iterated, it is every entry. Its first request
 * is sent without waiting for either, and only once. Pages have the maximum size when the list is iterated,
 * unless the input has a `limit`. A list can be iterated once.
 */
export interface ListCall<Item> extends Promise<ListAnswer<Item>>, AsyncIterable<Item> {
  /** Every page, in order. */
  pages(): AsyncIterableIterator<ListAnswer<Item>>;
  /** The entries in an array, at most `limit` of them. */
  toArray(options?: { readonly limit?: number }): Promise<Item[]>;
  /** The first entry; undefined if there is none. */
  first(): Promise<Item | undefined>;
}

export function listCall<Item>(
  pager: Pager<Item>,
  { readAhead = false }: ListOptions,
): ListCall<Item> {
  let pageSize: number | undefined;
  const next = (): ReturnType<typeof pager.next> => pager.next(() => pageSize);
  // The first page always exists. Its size may still change in the code that makes this call.
  const firstPage = next() as Promise<ListAnswer<Item>>;

  function start(size: number): AsyncIterableIterator<ListAnswer<Item>> {
    if (pageSize !== undefined) {
      throw new TypeError("a list can be iterated only once; call the method again");
    }
    pageSize = size;
    return pages();
  }

  async function* pages(): AsyncGenerator<ListAnswer<Item>> {
    for (let page: ListAnswer<Item> | undefined = await firstPage; page !== undefined;) {
      const ahead = readAhead ? next() : undefined;
      // The error is thrown when the page is used; until then it must not count as unhandled.
      ahead?.catch(() => undefined);
      yield page;
      page = await (ahead ?? next());
    }
  }

  async function toArray({ limit = Infinity }: { readonly limit?: number } = {}): Promise<Item[]> {
    const collected: Item[] = [];
    for await (const { data } of start(Math.max(1, Math.min(limit, pager.maximum)))) {
      for (const entry of data.slice(0, limit - collected.length)) collected.push(entry);
      if (collected.length >= limit) break;
    }
    return collected;
  }

  return Object.assign(firstPage, {
    pages: () => start(pager.maximum),
    toArray,
    first: async () => (await toArray({ limit: 1 }))[0],
    [Symbol.asyncIterator]: () => entries(start(pager.maximum)),
  });
}

async function* entries<Item>(
  pages: AsyncIterable<ListAnswer<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { data } of pages) yield* data;
}
