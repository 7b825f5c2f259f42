import type { Law, Need } from "../cases/case.ts";
import type { Failure } from "../failure.ts";

export interface CaseResult {
  readonly id: string;
  readonly operation: string;
  readonly status: number;
  readonly law: Law;
  readonly title: string;
  readonly outcome: "passed" | "failed" | "not run" | "not implemented";
  /** The missing need of a case that was not run. */
  readonly needs: readonly Need[];
  readonly failures: readonly Failure[];
  readonly milliseconds: number;
}

/** A documented response that the run did not receive, and the reason. */
export interface MissingResponse {
  readonly operation: string;
  readonly status: number;
  readonly reason: string;
}

export interface Share {
  readonly covered: number;
  readonly total: number;
}

/** The coverage of one operation. */
export interface OperationCoverage {
  readonly operation: string;
  readonly statuses: readonly { readonly status: number; readonly obtained: boolean }[];
  readonly parameters: Share;
  readonly members: Share;
  readonly missingParameters: readonly string[];
  readonly missingMembers: readonly string[];
}

/** Number of documented responses that the run obtained, by operation and status. */
export interface Coverage extends Share {
  readonly operations: number;
  readonly missing: readonly MissingResponse[];
  /** Number of documented parameters and top-level body members that the run sent. */
  readonly parameters: Share;
  readonly members: Share;
  readonly byOperation: readonly OperationCoverage[];
}

export interface Report {
  readonly baseUrl: string;
  readonly clientId: string;
  /** Repeats the run's requests, except for names: `--seed`. */
  readonly seed: string;
  readonly cases: readonly CaseResult[];
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  /** Cases of operations for which the target returns 501. */
  readonly notImplemented: number;
  /** Number of operations that `--except-file` excludes. */
  readonly leftOut: number;
  readonly coverage: Coverage;
  /** Response headers that the document does not have, with the number of responses. */
  readonly extraHeaders: Readonly<Record<string, number>>;
  /**
   * Problems that do not belong to a case: responses to set-up and clean-up requests, and records
   * that could not be removed.
   */
  readonly problems: readonly string[];
  readonly requests: number;
  readonly milliseconds: number;
  /** Seconds of the duration spent waiting for the target's rate limits. */
  readonly waitedSeconds: number;
  /** The run was ended early. */
  readonly interrupted: boolean;
  /** Whether nothing failed and, with `requireAll`, every case was run. */
  readonly ok: boolean;
}
