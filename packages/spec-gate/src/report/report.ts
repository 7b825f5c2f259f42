import type { Failure, Finding, Verdict } from "../change.ts";
import type { Approval } from "../policy/approvals.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";

/** The results of a run, from which the report is made. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly changes: readonly Finding[];
  /** Breaking changes that an approval accepts. */
  readonly approved: ReadonlyMap<Finding, Approval>;
  /** Other reasons why the run fails: unused or expired approvals, a wrong version. */
  readonly failures: readonly Failure[];
  /** Notes that need no action. */
  readonly notes: readonly string[];
  /** Notes about settings that match nothing here; those of other documents may match. */
  readonly unusedSettings: readonly string[];
  readonly base: LoadedDocument;
  readonly revision: LoadedDocument;
  /** The folder that paths in reports are relative to. */
  readonly folder: string;
}

export const isBreaking = (judgement: Judgement, finding: Finding): boolean =>
  finding.verdict === "major" && !judgement.approved.has(finding);

export const isFailed = (judgement: Judgement): boolean =>
  judgement.failures.length > 0 ||
  judgement.changes.some((finding) => isBreaking(judgement, finding));
