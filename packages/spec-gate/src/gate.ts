import type { Direction, Failure, Finding, Verdict } from "./change.ts";
import { compareDocuments, resultOf, webhooksOf, type Note } from "./compare/compare-documents.ts";
import { operationsOf } from "./compare/document-model.ts";
import { inScope, unusedSettings, type Scope } from "./compare/scope.ts";
import type { Effort } from "./effort.ts";
import { applyApprovals, noApprovals, type Approvals } from "./policy/approvals.ts";
import type { Settings, Severity } from "./policy/settings-file.ts";
import { checkVersion, versionIn } from "./policy/version.ts";
import type { LoadedDocument } from "./read/loaded-document.ts";
import { categoryOf } from "./rules/category.ts";
import { affectedBy } from "./rules/rule.ts";
import { spotsOf } from "./report/located.ts";
import type { Judgement } from "./report/report.ts";

export interface GateOptions {
  readonly today: Date;
  readonly folder: string;
  readonly approvals?: Approvals;
  readonly checkVersion?: boolean;
  /** Whether a minor version before 1.0.0 may contain breaking changes; true by default. */
  readonly zeroMayBreak?: boolean;
  /** Severities instead of the own ones, by rule and by category. */
  readonly severities?: Settings["severities"] | undefined;
  /** What is left out of the comparison. */
  readonly scope?: Scope;
  /** Deprecating without a date is breaking. */
  readonly requireSunset?: boolean;
  /** Ends the comparison when its time is over. */
  readonly effort?: Effort;
  /**
   * Additional checks, such as compiled consumers. Their changes are added to those of the
   * comparison.
   */
  readonly more?: readonly ((changes: readonly Finding[]) => Promise<AdditionalChange>)[];
}

export interface AdditionalChange {
  readonly changes: readonly Finding[];
  readonly notes: readonly string[];
}

/** Compares two documents under a policy. Throws `CannotJudge`. */
export async function gate(
  base: LoadedDocument,
  revision: LoadedDocument,
  options: GateOptions,
): Promise<Judgement> {
  const compared = compareDocuments(base, revision, {
    today: options.today,
    ...(options.effort === undefined ? {} : { effort: options.effort }),
    ...(options.scope === undefined ? {} : { scope: options.scope }),
  });
  const own = judgedBy(compared.changes, options);
  const additional: AdditionalChange[] = [];
  for (const check of options.more ?? []) additional.push(await check(own));
  const more = judgedBy(
    additional.flatMap((each) => each.changes),
    options,
  );
  const { verdict, changes } = resultOf([...own, ...more]);
  const { approved, failures, notes } = applyApprovals(
    changes,
    options.approvals ?? noApprovals,
    options.today,
  );
  const versions: readonly Failure[] =
    options.checkVersion === true
      ? checkVersion(versionIn(base.root), versionIn(revision.root), verdict, options)
      : [];
  const isFailure = ({ rule }: Failure): boolean =>
    (severityOf(rule, "request", options) ?? "major") === "major";
  return {
    verdict,
    changes,
    approved,
    failures: [...failures, ...versions.filter(isFailure)],
    notes: [
      ...notes,
      ...versions.filter((each) => !isFailure(each)).map(({ message }) => message),
      ...scopeNotes(base, revision, options.scope),
      ...new Set([...base.textNotes, ...revision.textNotes]),
      ...compared.notes.map((note) => noteText(note, base, revision, options.folder)),
      ...additional.flatMap((each) => each.notes),
    ],
    unusedSettings: unusedSettings(
      [base, revision],
      [base, revision].flatMap((document) =>
        operationsIn(document).flatMap((each) => [...each.values()]),
      ),
      options.scope,
    ),
    base,
    revision,
    folder: options.folder,
  };
}

/** The operations of both documents, by map of paths. */
const operationsIn = (document: LoadedDocument) =>
  [document.root["paths"], webhooksOf(document)].map((each) => operationsOf(document, each));

/** A reviewer has to see that something is not compared. */
function scopeNotes(
  base: LoadedDocument,
  revision: LoadedDocument,
  scope: Scope = {},
): readonly string[] {
  const [before, after] = [base, revision].map((document) =>
    operationsIn(document).reduce((count, all) => {
      const kept = inScope(all, document, { ...scope, stripPrefixes: [] });
      return count + all.size - kept.size;
    }, 0),
  );
  if (before === 0 && after === 0) return [];
  return [`left out by leaveOut: ${before} operations of the base, ${after} of the revision`];
}

function noteText(
  { document, pointer, message }: Note,
  base: LoadedDocument,
  revision: LoadedDocument,
  folder: string,
): string {
  const side = document === "base" ? base : revision;
  const spot = spotsOf([pointer], side, folder).get(pointer);
  const at = spot === undefined ? side.name : `${spot.file}:${spot.line}:${spot.column}`;
  return `${at}: ${message}`;
}

/** Replaces severities. */
function judgedBy(changes: readonly Finding[], options: GateOptions): readonly Finding[] {
  return changes.map((change) => {
    const { rule, direction } = change;
    const isUndated = rule.endsWith("-deprecated-without-date");
    const verdict =
      severityOf(rule, direction, options) ??
      (isUndated && options.requireSunset === true ? "major" : change.verdict);
    return verdict === change.verdict
      ? change
      : { ...change, verdict, affects: affectedBy(verdict, direction) };
  });
}

/** The severity of a rule by the settings: that of the rule, and else that of its category. */
function severityOf(
  rule: string,
  direction: Direction,
  { severities: { rules = {}, categories = {} } = {} }: GateOptions,
): Verdict | undefined {
  return (
    severityIn(rules[rule], direction) ??
    severityIn(categories[categoryOf(rule, direction)], direction)
  );
}

const severityIn = (severity: Severity | undefined, direction: Direction): Verdict | undefined =>
  typeof severity === "object" ? severity[direction] : severity;
