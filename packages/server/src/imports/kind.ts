import type { ImportFiles } from "./import-files.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Directory, Resource, Store, Transaction } from "../store/index.ts";

/** One kind of imported record; a JSON Schema (`importSchemas`) describes its lines. */
export interface Importer<Line, Record extends object> {
  readonly resource: Resource<Record>;
  /**
   * Whether records are stored with the platform. A record belongs to the tenant of its `cid`; without a `cid`, to all.
   */
  readonly shared?: boolean;
  /** Number of lines per transaction, for kinds with large records. */
  readonly batch?: number;
  /** The record of a valid line, or problems that the schema cannot find. */
  readonly read: (line: Line, about: Reading) => ReadLine<Record>;
  /**
   * For lines with files: completes the record from its file, or returns the problems of the file.
   * `stored` is the existing record that stays, if there is one.
   */
  readonly takeFile?: (
    parsed: { readonly line: Line; readonly record: Record },
    files: ImportFiles,
    stored: Record | undefined,
  ) => Promise<ReadLine<Record>>;
  /** Merges a stored record with a newer line. Default: the line's record replaces it. */
  readonly renew?: (stored: Record, newer: Newer<Line, Record>) => Record;
  /** Starts the work that each transaction does besides storing records; called once per import. */
  readonly begin?: (cid: string, directory: Directory) => BatchWork<Record>;
  /** Runs what the transactions left to do in the background; called once after the last batch. */
  readonly finish?: (
    store: Store,
    clock: Clock,
    onProgress?: (progress: FinishProgress) => void,
  ) => Promise<void>;
}

/** The progress of the work after the last batch. */
export interface FinishProgress {
  /** What is being done: `analysing cases`. */
  readonly work: string;
  /** Number of records so far. */
  readonly done: number;
}

/** The import that a line belongs to. */
export interface Reading {
  readonly cid: string;
  readonly now: Date;
}

export interface Newer<Line, Record> {
  readonly line: Line;
  readonly record: Record;
  readonly now: Date;
}

export type ReadLine<Record> =
  { readonly record: Record } | { readonly problems: readonly LineProblem[] };

/** A problem of a line and its member (`sha256`, `domains[2]`). */
export interface LineProblem {
  readonly at: string;
  readonly message: string;
}

/** A record before the import, if it existed, and after it. */
export interface Change<Record> {
  readonly before?: Record;
  readonly after: Record;
}

export interface BatchWork<Record> {
  /** Completes records from other stored records, in their order, or returns their problems. */
  readonly complete?: (
    transaction: Transaction,
    records: readonly Record[],
    now: Date,
  ) => Promise<readonly ReadLine<Record>[]>;
}
