import type { Failure, Finding } from "./change.ts";
import { compareDocuments, resultOf, type Note } from "./compare/compare-documents.ts";
import type { Effort } from "./effort.ts";
import { checkEngine, redoclyDiff } from "./engine/redocly.ts";
import { secondOpinion } from "./engine/second-opinion.ts";
import { applyApprovals, noApprovals, type Approvals } from "./policy/approvals.ts";
import { checkVersion, versionIn } from "./policy/version.ts";
import { CannotJudge } from "./read/cannot-judge.ts";
import type { LoadedDocument } from "./read/loaded-document.ts";
import { spotsOf } from "./report/located.ts";
import type { Judgement } from "./report/report.ts";

export interface GateOptions {
  readonly today: Date;
  readonly folder: string;
  readonly approvals?: Approvals;
  readonly checkVersion?: boolean;
  /** Deprecating without a date is breaking. */
  readonly requireSunset?: boolean;
  /** Also runs `redocly diff`. */
  readonly engine?: boolean;
  /** Ends the comparison when its time is over. */
  readonly effort?: Effort;
  /** Called with the id of each process that is started, and again when it has ended. */
  readonly watched?: (process: number, runs: boolean) => void;
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
  const engine = options.engine === true ? runEngine(base, revision, options.watched) : undefined;
  // Avoids an unhandled rejection if both the engine and the comparison fail.
  engine?.catch(() => undefined);
  const compared = compareDocuments(base, revision, {
    today: options.today,
    ...(options.effort === undefined ? {} : { effort: options.effort }),
  });
  const own = strict(compared.changes, options.requireSunset === true);
  const additional: AdditionalChange[] = [];
  if (engine !== undefined) additional.push(opinionOf(await engine, own));
  for (const check of options.more ?? []) additional.push(await check(own));
  const { verdict, changes } = resultOf([...own, ...additional.flatMap((each) => each.changes)]);
  const { approved, failures, notes } = applyApprovals(
    changes,
    options.approvals ?? noApprovals,
    options.today,
  );
  const versions: readonly Failure[] =
    options.checkVersion === true
      ? checkVersion(versionIn(base.root), versionIn(revision.root), verdict)
      : [];
  return {
    verdict,
    changes,
    approved,
    failures: [...failures, ...versions],
    notes: [
      ...notes,
      ...new Set([...base.textNotes, ...revision.textNotes]),
      ...compared.notes.map((note) => noteText(note, base, revision, options.folder)),
      ...additional.flatMap((each) => each.notes),
    ],
    base,
    revision,
    folder: options.folder,
  };
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

type EngineAnswer = Awaited<ReturnType<typeof redoclyDiff>> | { readonly problem: string };

async function runEngine(
  base: LoadedDocument,
  revision: LoadedDocument,
  watched: GateOptions["watched"],
): Promise<EngineAnswer> {
  const [, result] = await Promise.all([
    checkEngine(watched),
    redoclyDiff(base, revision, watched).catch((error: unknown) => {
      if (error instanceof CannotJudge) throw error;
      return { problem: error instanceof Error ? error.message : String(error) };
    }),
  ]);
  return result;
}

function opinionOf(answer: EngineAnswer, changes: readonly Finding[]): AdditionalChange {
  if ("problem" in answer) {
    const note = `redocly diff could not compare these documents (${answer.problem}); the verdict is our comparison's alone`;
    return { changes: [], notes: [note] };
  }
  const differing = secondOpinion(answer.findings, changes);
  return { changes: differing, notes: [] };
}

function strict(changes: readonly Finding[], requireSunset: boolean): readonly Finding[] {
  if (!requireSunset) return changes;
  return changes.map((change) =>
    change.rule.endsWith("-deprecated-without-date")
      ? {
          ...change,
          verdict: "major" as const,
          affects: [
            change.direction === "request"
              ? ("clients that send it" as const)
              : ("clients that read it" as const),
          ],
        }
      : change,
  );
}
