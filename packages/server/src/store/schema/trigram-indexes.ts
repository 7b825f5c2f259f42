import { setTimeout } from "node:timers/promises";
import { nearest } from "@security-platform/fql";
import type { Connection, Database, TrigramDialect, TrigramIndex } from "../dialects/dialect.ts";
import { trigramIndexesOf, trigramIndexOf } from "../rows/trigram-index.ts";
import { StoreError } from "../types/errors.ts";
import type { AddedTrigramIndex, TrigramIndexes } from "../types/trigrams.ts";
import type { Resource } from "../types/types.ts";

const progressMilliseconds = 500;

type Outside = NonNullable<Database["outside"]>;

/** The indexes of trigrams of a database. */
export class StoredTrigramIndexes implements TrigramIndexes {
  readonly #outside: Outside;
  readonly #trigrams: TrigramDialect;
  readonly #resources: readonly Resource[];

  constructor(outside: Outside, trigrams: TrigramDialect, resources: readonly Resource[]) {
    this.#outside = outside;
    this.#trigrams = trigrams;
    this.#resources = resources;
  }

  async list(): Promise<readonly AddedTrigramIndex[]> {
    const fields = new Map(
      this.#resources.flatMap((resource) =>
        [...trigramIndexesOf(resource)].map(
          ([field, { name }]) => [name, `${resource.name}.${field}`] as const,
        ),
      ),
    );
    const found = await this.#outside((owner) => this.#trigrams.find(owner, [...fields.keys()]));
    return found.map(({ name, ...rest }) => ({ field: fields.get(name) ?? name, ...rest }));
  }

  async add(
    field: string,
    onProgress: (done: number, share: number | null) => void = () => undefined,
  ): Promise<boolean> {
    const index = this.#indexOf(field);
    return this.#alone(async (owner) => {
      await this.#trigrams.prepare(owner, index);
      const state = await this.#stateOf(owner, index);
      if (state === "ready") return false;
      if (state === "building") {
        throw new StoreError(
          `another command is creating the index of ${field}; wait until it ends`,
        );
      }
      if (state === "broken") await this.#trigrams.drop(owner, index.name);
      await this.#build(owner, index, onProgress);
      if ((await this.#stateOf(owner, index)) !== "ready") {
        throw new StoreError(
          `the index of ${field} was not completed, because another command changed it; try again`,
        );
      }
      return true;
    });
  }

  async remove(field: string): Promise<boolean> {
    const index = this.#indexOf(field);
    return this.#alone(async (owner) => {
      const state = await this.#stateOf(owner, index);
      if (state === null) return false;
      await this.#trigrams.drop(owner, index.name);
      return true;
    });
  }

  /** Runs `work` unless another command changes indexes, because two at once would wait for each other. */
  #alone<Result>(work: (owner: Connection) => Promise<Result>): Promise<Result> {
    return this.#outside(async (holder) => {
      if (!(await this.#trigrams.isAlone(holder))) {
        throw new StoreError(
          "another command is adding or removing an index of trigrams; wait until it ends",
        );
      }
      return this.#outside(work);
    });
  }

  async #stateOf(owner: Connection, { name }: TrigramIndex) {
    const [found] = await this.#trigrams.find(owner, [name]);
    return found?.state ?? null;
  }

  /** The progress is read on another connection. */
  async #build(
    owner: Connection,
    index: TrigramIndex,
    onProgress: (done: number, share: number | null) => void,
  ): Promise<void> {
    const ended = new AbortController();
    const watched = this.#outside(async (watcher) => {
      while (!ended.signal.aborted) {
        const { done, total } = await this.#trigrams.progress(watcher, index.name);
        onProgress(done, total === 0 ? null : done / total);
        await setTimeout(progressMilliseconds, undefined, { signal: ended.signal });
      }
    }).catch(() => undefined);
    try {
      await this.#trigrams.build(owner, index);
    } finally {
      ended.abort();
      await watched;
    }
  }

  /** `field`: a kind of records and one of its fields, such as `indicators.value`. */
  #indexOf(field: string): TrigramIndex {
    const at = field.indexOf(".");
    if (at === -1) {
      throw new StoreError(
        `"${field}" names no field; write the kind of records and the field, such as indicators.value`,
      );
    }
    const kind = field.slice(0, at);
    const resource = this.#resources.find(({ name }) => name === kind);
    if (resource === undefined) {
      const near = nearest(
        kind,
        this.#resources.map(({ name }) => name),
      );
      throw new StoreError(
        `there is no kind of records "${kind}"${near === undefined ? "" : `; the nearest is "${near}"`}`,
      );
    }
    return trigramIndexOf(resource, field.slice(at + 1));
  }
}
