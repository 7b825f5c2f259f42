import type { RequestParts } from "../requests/request.ts";

/** One violation of the document in an otherwise valid request. */
export interface RequestViolation {
  /** `query.limit above maximum 2000`; unique within an operation. */
  readonly name: string;
  /** `limits`: a range, length or number of items; `filter`: FQL; `shape`: everything else. */
  readonly law: "limits" | "filter" | "shape";
  readonly apply: (parts: RequestParts) => RequestParts;
  /** The error message must contain at least one of each. */
  readonly named: readonly (readonly string[])[];
  /**
   * Whether the value counts as absent for existing clients: an unknown member, or null or a zero value of an optional
   * one.
   */
  readonly isAbsent?: boolean;
}
