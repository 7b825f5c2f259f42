import type { Finding, Verdict } from "../change.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";

/** What a run found, for every form of report. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly changes: readonly Finding[];
  /** Breaking changes that an approval accepts, with its reason. */
  readonly approved: ReadonlyMap<Finding, string>;
  /** What fails the run besides changes: approvals that are unused or expired, a version that does not fit. */
  readonly failures: readonly Failure[];
  /** What a reader should know and nobody has to act on. */
  readonly notes: readonly string[];
  readonly base: LoadedDocument;
  readonly revision: LoadedDocument;
  /** The folder that paths in reports are relative to. */
  readonly folder: string;
}

export interface Failure {
  readonly rule: string;
  readonly place: string;
  readonly message: string;
}

export const isBreaking = (judgement: Judgement, finding: Finding): boolean =>
  finding.verdict === "major" && !judgement.approved.has(finding);

export const isFailed = (judgement: Judgement): boolean =>
  judgement.failures.length > 0 ||
  judgement.changes.some((finding) => isBreaking(judgement, finding));
