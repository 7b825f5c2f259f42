/** An index of the trigrams of a field, in which filters find parts of its texts. */
export interface AddedTrigramIndex {
  /** The kind of records and the field, such as `indicators.value`. */
  readonly field: string;
  /** `broken`: its creation was interrupted. */
  readonly state: "ready" | "building" | "broken";
  readonly bytes: number;
}

/** Operators add these indexes. Each method throws `StoreError` for a field that cannot have one. */
export interface TrigramIndexes {
  list(): Promise<readonly AddedTrigramIndex[]>;
  /**
   * Creates the index while others write, or creates it again if this was interrupted. Returns false if it is there
   * already. `share`: the part of the table that has been read; null while this is unknown.
   */
  add(field: string, onProgress?: (done: number, share: number | null) => void): Promise<boolean>;
  /** Returns false if there is none. */
  remove(field: string): Promise<boolean>;
}
