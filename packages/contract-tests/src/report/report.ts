import type { Law, Need } from "../cases/case.ts";
import type { Failure } from "../cases/failure.ts";

export interface CaseResult {
  readonly id: string;
  readonly operation: string;
  readonly status: number;
  readonly law: Law;
  readonly title: string;
  readonly outcome: "passed" | "failed" | "not run" | "not implemented";
  /** What a case lacked that was not run. */
  readonly needs: readonly Need[];
  readonly failures: readonly Failure[];
  readonly milliseconds: number;
}

/** A documented answer that no response of the run was, and why. */
export interface MissingAnswer {
  readonly operation: string;
  readonly status: number;
  readonly reason: string;
}

export interface Share {
  readonly covered: number;
  readonly total: number;
}

/** What the run obtained and sent of one operation. */
export interface OperationCoverage {
  readonly operation: string;
  readonly statuses: readonly { readonly status: number; readonly obtained: boolean }[];
  readonly parameters: Share;
  readonly members: Share;
  readonly missingParameters: readonly string[];
  readonly missingMembers: readonly string[];
}

/** Documented answers, one for each operation and status, that the run obtained. */
export interface Coverage extends Share {
  readonly operations: number;
  readonly missing: readonly MissingAnswer[];
  /** Documented parameters, and members of bodies near the top, that a request of the run had. */
  readonly parameters: Share;
  readonly members: Share;
  readonly byOperation: readonly OperationCoverage[];
}

export interface Report {
  readonly baseUrl: string;
  readonly clientId: string;
  /** Repeats the run's requests: `--seed`. */
  readonly seed: string;
  readonly cases: readonly CaseResult[];
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  /** Cases of operations that the target answers with 501. */
  readonly notImplemented: number;
  /** Number of operations that `--except-file` left out. */
  readonly leftOut: number;
  readonly coverage: Coverage;
  /** Response headers that the document does not have, with the number of responses. */
  readonly extraHeaders: Readonly<Record<string, number>>;
  /** Problems of no single case: answers that set up or clean up, records that could not be removed. */
  readonly problems: readonly string[];
  readonly requests: number;
  readonly milliseconds: number;
  /** Seconds of these that were spent waiting for the target's rate limits. */
  readonly waitedSeconds: number;
  /** The run was ended early. */
  readonly interrupted: boolean;
  /** Nothing failed, and with `requireAll` every case was run. */
  readonly ok: boolean;
}
