import type { Schema } from "../http/validate/schema-validator.ts";
import type { Resource } from "../store/types.ts";

/** One kind of record that is imported: what a line holds, and the record it becomes. */
export interface Importer<Line, Record extends object> {
  /** JSON Schema of one line. */
  readonly schema: Schema;
  readonly resource: Resource<Record>;
  /** The record that a valid line describes, or what is wrong with it beyond the schema. */
  readonly read: (line: Line, now: Date) => ReadLine<Record>;
}

export type ReadLine<Record> =
  { readonly record: Record } | { readonly problems: readonly LineProblem[] };

/** What is wrong with a line, and in which member (`sha256`, `domains[2]`). */
export interface LineProblem {
  readonly at: string;
  readonly message: string;
}
