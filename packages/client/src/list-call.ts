import type { ListAnswer } from "./answer.ts";
import type { ListOptions } from "./call-options.ts";
import type { Pager } from "./paging.ts";

/**
 * The call of a list operation. Awaited, it is the first page; iterated, it is every entry. Its first request
 * is sent without waiting for either, and only once. Pages have the maximum size when the list is iterated,
 * unless the input has a `limit`.
 */
export class ListCall<Item> implements Promise<ListAnswer<Item>>, AsyncIterable<Item> {
  readonly [Symbol.toStringTag] = "ListCall";
  readonly #pager: Pager<Item>;
  readonly #readAhead: boolean;
  readonly #first: Promise<ListAnswer<Item>>;
  #size: number | undefined;
  #iterated = false;

  constructor(pager: Pager<Item>, { readAhead = false }: ListOptions) {
    this.#pager = pager;
    this.#readAhead = readAhead;
    // The first page always exists. Its size may still change in the code that makes this call.
    this.#first = pager.next(() => this.#size) as Promise<ListAnswer<Item>>;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a call is awaited like a promise
  then<Resolved = ListAnswer<Item>, Rejected = never>(
    resolve?: ((answer: ListAnswer<Item>) => Resolved | PromiseLike<Resolved>) | null,
    reject?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Resolved | Rejected> {
    return this.#first.then(resolve, reject);
  }

  catch<Rejected = never>(
    reject?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<ListAnswer<Item> | Rejected> {
    return this.#first.catch(reject);
  }

  finally(settled?: (() => void) | null): Promise<ListAnswer<Item>> {
    return this.#first.finally(settled);
  }

  /** Every page, in order. */
  pages(): AsyncIterableIterator<ListAnswer<Item>> {
    return this.#pages(this.#pager.maximum);
  }

  /** Every entry, in order. */
  [Symbol.asyncIterator](): AsyncIterator<Item> {
    return entries(this.pages());
  }

  /** The entries in an array, at most `limit` of them. */
  async toArray({ limit = Infinity }: { readonly limit?: number } = {}): Promise<Item[]> {
    if (!(limit >= 0)) throw new RangeError(`limit must be at least 0, not ${limit}`);
    const collected: Item[] = [];
    const size = Math.max(1, Math.min(limit, this.#pager.maximum));
    for await (const { data } of this.#pages(size)) {
      for (const entry of data.slice(0, limit - collected.length)) collected.push(entry);
      if (collected.length >= limit) break;
    }
    return collected;
  }

  /** The first entry; undefined if there is none. */
  async first(): Promise<Item | undefined> {
    const [entry] = await this.toArray({ limit: 1 });
    return entry;
  }

  #pages(size: number): AsyncIterableIterator<ListAnswer<Item>> {
    if (this.#iterated)
      throw new TypeError("a list can be iterated only once; call the method again");
    this.#iterated = true;
    this.#size = size;
    return this.#generatePages();
  }

  async *#generatePages(): AsyncGenerator<ListAnswer<Item>> {
    let page: ListAnswer<Item> | undefined = await this.#first;
    while (page !== undefined) {
      const ahead = this.#readAhead ? this.#pager.next(() => this.#size) : undefined;
      // The error is thrown when the page is used; until then it must not count as unhandled.
      ahead?.catch(() => undefined);
      yield page;
      page = await (ahead ?? this.#pager.next(() => this.#size));
    }
  }
}

async function* entries<Item>(
  pages: AsyncIterable<ListAnswer<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { data } of pages) yield* data;
}
