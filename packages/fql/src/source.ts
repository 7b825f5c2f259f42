import type { Filter } from "./ast.ts";

/** Where a condition stood. Offsets count UTF-16 code units, as `String` methods do. */
export interface Place {
  readonly start: number;
  readonly operator: number;
  /** Of the value, or of each item of a list. */
  readonly values: readonly number[];
}

/** The text of a filter, and the places of its conditions in the order of the text. */
export interface Source {
  readonly text: string;
  readonly places: readonly Place[];
}

// Beside the filters, not in them: what says the same is deeply equal, wherever it stood.
const sources = new WeakMap<Filter, Source>();

export function setSource(filter: Filter, source: Source): void {
  sources.set(filter, source);
}

/** The source of a whole filter; undefined for one that was built and has not been located yet. */
export function sourceOf(filter: Filter): Source | undefined {
  return sources.get(filter);
}
