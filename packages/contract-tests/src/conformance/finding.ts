/** One violation of the document by a response. */
export interface Finding {
  readonly kind: FindingKind;
  /** Operation id, or method and path if the document has no such operation. */
  readonly operation: string;
  readonly status: number;
  /** Place in the response: `status`, `header x-trace-id`, `body[3].severity`. */
  readonly at: string;
  readonly message: string;
}

export type FindingKind =
  | "undocumented-status"
  | "undocumented-content-type"
  | "undocumented-header"
  | "missing-header"
  | "invalid-header"
  | "undocumented-field"
  | "invalid-body"
  | "inconsistent";

/** Reports one violation of the checked response. */
export type Report = (kind: FindingKind, at: string, message: string) => void;

export const describeFinding = ({ kind, operation, status, at, message }: Finding): string =>
  `${operation} ${status}, ${at}: ${message} (${kind})`;

/** Equal for findings that differ only in the index of an item. */
export const findingKey = (finding: Finding): string =>
  describeFinding({ ...finding, at: finding.at.replaceAll(/\[\d+\]/g, "[]") });
