import type { ImportFiles } from "./import-files.ts";
import type { Directory, Resource, Transaction } from "../store/types.ts";

/** One kind of record that is imported; what a line holds says its JSON Schema (`importSchemas`). */
export interface Importer<Line, Record extends object> {
  readonly resource: Resource<Record>;
  /** The records are stored with the platform and name their tenant as `cid`. */
  readonly shared?: boolean;
  /** The record that a valid line describes, or what is wrong with it beyond the schema. */
  readonly read: (line: Line, about: Reading) => ReadLine<Record>;
  /**
   * Of a kind whose lines come with files: the record with what its file tells, or what is wrong with
   * the file. `stored` is what stays in the line's place, where something does.
   */
  readonly takeFile?: (
    made: { readonly line: Line; readonly record: Record },
    files: ImportFiles,
    stored: Record | undefined,
  ) => Promise<ReadLine<Record>>;
  /** What becomes of a stored record by a newer line. Without it the line's record takes its place. */
  readonly renew?: (stored: Record, newer: Newer<Line, Record>) => Record;
  /** What the kind does in each transaction beside storing records; called once an import. */
  readonly begin?: (cid: string, directory: Directory) => BatchWork<Record>;
}

/** What a line is read for. */
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

/** What is wrong with a line, and in which member (`sha256`, `domains[2]`). */
export interface LineProblem {
  readonly at: string;
  readonly message: string;
}

/** A record as it was, if it was there, and as the import leaves it. */
export interface Change<Record> {
  readonly before?: Record;
  readonly after: Record;
}

export interface BatchWork<Record> {
  /** Completes records from what else is stored, in their order, or says what is wrong with them. */
  readonly complete?: (
    transaction: Transaction,
    records: readonly Record[],
    now: Date,
  ) => Promise<readonly ReadLine<Record>[]>;
}
