import {
  lowerFilter,
  parseFilter,
  parseSort,
  usesNow,
  where,
  type Fields,
  type Predicate,
  type SortKey,
} from "@security-platform/fql";
import { LRUCache } from "lru-cache";

const textsKept = 1_000;
/** Maximum length of a cached filter. Longer ones, such as lists of a thousand values, are rarely repeated. */
const longestKept = 2_048;

/**
 * Parses the filter and sort texts of one resource. Caches the results, because callers repeat the same few
 * texts.
 */
export class FilterReader {
  readonly #fields: Fields;
  readonly #predicates = new LRUCache<string, Predicate>({ max: textsKept });
  readonly #sorts = new LRUCache<string, readonly SortKey[]>({
    max: textsKept,
    memoMethod: (text) => parseSort(text, this.#fields),
  });

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  /** Throws `FqlSyntaxError`. An absent filter matches everything. */
  predicate(text: string | undefined, now: Date): Predicate {
    if (text === undefined) return where.everything;
    const cachedPredicate = this.#predicates.get(text);
    if (cachedPredicate !== undefined) return cachedPredicate;
    const filter = parseFilter(text);
    const predicate = lowerFilter(filter, this.#fields, now);
    if (text.length <= longestKept && !usesNow(filter)) this.#predicates.set(text, predicate);
    return predicate;
  }

  /** Throws `FqlSyntaxError`. Without a sort, records are in the order of their creation. */
  sortKeys(text: string | undefined): readonly SortKey[] {
    if (text === undefined || text === "") return [];
    return this.#sorts.memo(text);
  }
}

const readers = new WeakMap<Fields, FilterReader>();

/** The reader for a resource's `x-fql` table. */
export function filterReader(fields: Fields): FilterReader {
  let reader = readers.get(fields);
  if (reader === undefined) {
    reader = new FilterReader(fields);
    readers.set(fields, reader);
  }
  return reader;
}
