import type { Filter } from "./ast.ts";

/** The position of a condition. Offsets count UTF-16 code units, like `String` methods. */
export interface Place {
  readonly start: number;
  readonly operator: number;
  /** Offset of the value, or of each item of a list. */
  readonly values: readonly number[];
}

/** The text of a filter, and the positions of its conditions in text order. */
export interface Source {
  readonly text: string;
  readonly places: readonly Place[];
}

// Stored outside the filters, so that equivalent filters are deeply equal wherever they were
// written.
const sources = new WeakMap<Filter, Source>();

export function setSource(filter: Filter, source: Source): void {
  sources.set(filter, source);
}

/**
 * The source of a whole filter; undefined for a filter that was built in code and not located yet.
 */
export function sourceOf(filter: Filter): Source | undefined {
  return sources.get(filter);
}
