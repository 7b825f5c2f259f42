import type { Reader } from "../dialects/dialect.ts";
import { trigramIndexesOf } from "../rows/trigram-index.ts";
import type { Resource } from "../types/types.ts";

/** For this time, an index that an operator has added or removed goes unnoticed. */
const rememberedMilliseconds = 10_000;

/** The names of the indexes of trigrams that conditions can start from, by field. */
export type TrigramFields = ReadonlyMap<string, string>;

export const noTrigrams: TrigramFields = new Map();

/** Knows which fields have an index of trigrams. */
export class KnownTrigrams {
  readonly #fieldsOf = new Map<Resource, ReadonlyMap<string, string>>();
  #ready: ReadonlySet<string> = new Set();
  #until = -Infinity;

  /** `names`: the fields of a query. */
  async of(reader: Reader, resource: Resource, names: readonly string[]): Promise<TrigramFields> {
    const { trigrams } = reader.dialect;
    if (trigrams === null) return noTrigrams;
    const possible = this.#possible(resource);
    if (!names.some((name) => possible.has(name))) return noTrigrams;
    if (performance.now() > this.#until) {
      // First, so that other queries do not ask as well.
      this.#until = performance.now() + rememberedMilliseconds;
      const all = [...this.#fieldsOf.values()].flatMap((fields) => [...fields.values()]);
      const found = await trigrams.find(reader, all);
      this.#ready = new Set(found.flatMap(({ name, state }) => (state === "ready" ? [name] : [])));
    }
    if (this.#ready.size === 0) return noTrigrams;
    return new Map([...possible].filter(([, name]) => this.#ready.has(name)));
  }

  #possible(resource: Resource): ReadonlyMap<string, string> {
    let fields = this.#fieldsOf.get(resource);
    if (fields === undefined) {
      const indexes = trigramIndexesOf(resource);
      fields = new Map([...indexes].map(([field, { name }]) => [field, name]));
      this.#fieldsOf.set(resource, fields);
      // The names of this resource were not asked for.
      this.#until = -Infinity;
    }
    return fields;
  }
}
