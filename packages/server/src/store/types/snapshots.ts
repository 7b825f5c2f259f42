/** Copies of everything that is stored. Nobody else writes during a call. */
export interface Snapshots {
  /** Copies the committed state. Returns the number of the copy. */
  take(): Promise<number>;
  /** Returns to a state, and keeps the copy. Throws `RangeError` for an unknown number. */
  restore(number: number): Promise<void>;
  /** Frees the memory of a copy. */
  free(number: number): Promise<void>;
}
