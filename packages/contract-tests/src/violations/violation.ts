import type { RequestParts } from "../requests/request.ts";

/** One way to break the document with a request that is otherwise valid. */
export interface RequestViolation {
  /** `query.limit above maximum 2000`; unique within an operation. */
  readonly name: string;
  /** `limits`: a range, length or number of items; `filter`: FQL; `shape`: all the rest. */
  readonly law: "limits" | "filter" | "shape";
  readonly apply: (parts: RequestParts) => RequestParts;
  /** The error message must contain at least one of each. */
  readonly named: readonly (readonly string[])[];
  /** Null or an empty text for an optional member or parameter: for existing clients it is absent. */
  readonly isAbsent?: boolean;
}
