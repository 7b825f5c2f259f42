import {
  lowerFilter,
  parseFilter,
  parseSort,
  usesNow,
  type Fields,
  type Predicate,
  type SortKey,
} from "@security-platform/fql";

const cacheLimit = 1_000;

/** Remembers what filter and sort texts mean for one resource: callers send few, many times. */
export class FilterReader {
  readonly #fields: Fields;
  readonly #predicates = new Map<string, Predicate>();
  readonly #sorts = new Map<string, readonly SortKey[]>();

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  /** Throws `FqlSyntaxError`. An absent filter matches everything. */
  predicate(text: string | undefined, now: Date): Predicate {
    if (text === undefined) return { kind: "everything" };
    const known = this.#predicates.get(text);
    if (known !== undefined) return known;
    const filter = parseFilter(text);
    const predicate = lowerFilter(filter, this.#fields, now);
    if (!usesNow(filter)) remember(this.#predicates, text, predicate);
    return predicate;
  }

  /** Throws `FqlSyntaxError`. An absent sort is the order of creation. */
  sortKeys(text: string | undefined): readonly SortKey[] {
    if (text === undefined || text === "") return [];
    const known = this.#sorts.get(text);
    if (known !== undefined) return known;
    const keys = parseSort(text, this.#fields);
    remember(this.#sorts, text, keys);
    return keys;
  }
}

const readers = new WeakMap<Fields, FilterReader>();

/** The reader of a resource's `x-fql` table. */
export function filterReader(fields: Fields): FilterReader {
  let reader = readers.get(fields);
  if (reader === undefined) {
    reader = new FilterReader(fields);
    readers.set(fields, reader);
  }
  return reader;
}

/** Drops the oldest entry when full. */
function remember<Value>(cache: Map<string, Value>, key: string, value: Value): void {
  if (cache.size >= cacheLimit) {
    const oldest = cache.keys().next().value;
    if (oldest !== undefined) cache.delete(oldest);
  }
  cache.set(key, value);
}
