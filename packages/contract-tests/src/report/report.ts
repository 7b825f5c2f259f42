import type { Law, Need } from "../cases/case.ts";
import type { Failure } from "../cases/failure.ts";

export interface CaseResult {
  readonly id: string;
  readonly operation: string;
  readonly status: number;
  readonly law: Law;
  readonly title: string;
  readonly outcome: "passed" | "failed" | "not run";
  /** What the target would have to offer; only of cases that were not run. */
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

/** Documented answers, one for each operation and status, that the run obtained. */
export interface Coverage {
  readonly operations: number;
  readonly covered: number;
  readonly total: number;
  readonly missing: readonly MissingAnswer[];
}

export interface Report {
  readonly baseUrl: string;
  readonly cases: readonly CaseResult[];
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  /** Operations that the run was told to leave out. */
  readonly leftOut: number;
  readonly coverage: Coverage;
  /** What is no case's: departures of answers that set up or clean up, records that could not be removed. */
  readonly problems: readonly string[];
  readonly requests: number;
  readonly milliseconds: number;
  /** Seconds of these that were spent waiting for the target's rate limits. */
  readonly waitedSeconds: number;
  /** Nothing failed, and with `requireAll` nothing was left out. */
  readonly ok: boolean;
}
