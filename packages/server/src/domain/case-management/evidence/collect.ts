import { createHash } from "node:crypto";
import type { components } from "@security-platform/spec";
import { errors, type ApiError, type Problem } from "../../../errors.ts";
import { newIdentifier } from "../../../identifiers.ts";
import type { Transaction } from "../../../store/types.ts";
import type { Case, StoredCase } from "../cases/cases.ts";
import { analyse } from "./analysis.ts";
import { alerts, events, type EvidenceRecord } from "./evidence-records.ts";

type Evidence = Case["evidence"];

/** The kinds of evidence that callers add. */
export type EvidenceKind = "alerts" | "events" | "leads";

/** Ids of evidence by kind. */
export type EvidenceIds = { readonly [Kind in EvidenceKind]?: readonly string[] };

/** Maximum number of pieces of evidence of a case. */
const mostEvidence = 100;

const resources = { alerts, events };

export const noEvidence: Evidence = {
  alerts: { records: [] },
  events: { records: [] },
  leads: { records: [] },
  users: { records: [] },
  custom_evidence: { records: [] },
};

const evidenceCount = (evidence: Evidence): number =>
  Object.values(evidence).reduce((sum, { records = [] }) => sum + records.length, 0);

/** The evidence with further ids, those that it has left out. The same object where all are known. */
export function withMore(
  evidence: Evidence,
  ids: EvidenceIds,
  newId: (kind: EvidenceKind, id: string) => string = newIdentifier,
): Evidence {
  let changed = evidence;
  for (const kind of kinds) {
    const { records = [] } = evidence[kind];
    const known = new Set(records.map(({ selector }) => selector.id));
    const added = [...new Set(ids[kind])].filter((id) => !known.has(id));
    if (added.length === 0) continue;
    const more = added.map((id) => ({ id: newId(kind, id), selector: { id } }));
    changed = { ...changed, [kind]: { records: [...records, ...more] } };
  }
  return changed;
}

/** The problem of more evidence than a case can have; `at` is the place of what was added. */
export function tooMuchEvidence(evidence: Evidence, at: string): readonly Problem[] {
  const count = evidenceCount(evidence);
  if (count <= mostEvidence) return [];
  const message = `the case would have ${count} pieces of evidence; it can have at most ${mostEvidence}`;
  return [{ at, message }];
}

/** 400 for more evidence than a case can have. */
export function refuseTooMuch(evidence: Evidence, at: string): void {
  const problems = tooMuchEvidence(evidence, at);
  if (problems.length > 0) throw errors.invalidRequest(problems);
}

type Input = components["schemas"]["CaseEvidenceInput"];

/** Ids of the evidence that a request names. */
export const idsOfInput = (input: Input | undefined): EvidenceIds => ({
  alerts: input?.alerts?.map(({ id }) => id) ?? [],
  events: input?.events?.map(({ id }) => id) ?? [],
  leads: input?.leads?.map(({ id }) => id) ?? [],
});

/** Ids of the evidence of a case. */
export const evidenceIdsOf = (evidence: Evidence): EvidenceIds =>
  Object.fromEntries(
    kinds.map((kind) => [kind, (evidence[kind].records ?? []).map(({ selector }) => selector.id)]),
  );

const kinds = ["alerts", "events", "leads"] as const;

/** Evidence whose ids follow from the case's, so that importing it again changes nothing. */
export const importedEvidence = (caseId: string, input: Input | undefined): Evidence =>
  withMore(noEvidence, idsOfInput(input), (kind, id) =>
    createHash("sha256").update(`${caseId}/${kind}/${id}`).digest("hex").slice(0, 32),
  );

/** Those of the alerts or events that the tenant does not have. */
export async function missingEvidence(
  transaction: Transaction,
  kind: "alerts" | "events",
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const found = await transaction.records(resources[kind]).getForUpdate([...new Set(ids)]);
  return ids.filter((id) => !found.has(id));
}

/** 400 that names the members of a request whose alerts or events do not exist. */
export async function evidenceProblems(
  transaction: Transaction,
  ids: EvidenceIds,
  at: string,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const kind of ["alerts", "events"] as const) {
    const asked = ids[kind] ?? [];
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    const missing = new Set(await missingEvidence(transaction, kind, asked));
    for (const [index, id] of asked.entries()) {
      if (!missing.has(id)) continue;
      problems.push({
        at: `${at}.${kind}[${index}].id`,
        id,
        message: `there is no ${nouns[kind]} ${id}`,
      });
    }
  }
  return problems;
}

const nouns = { alerts: "alert", events: "event" } as const;

/** 404 for alerts or events that do not exist. */
export const evidenceNotFound = (kind: "alerts" | "events", ids: readonly string[]): ApiError =>
  errors.recordsNotFound(nouns[kind], [...new Set(ids)]);

/** The case with what its evidence says, as the alerts and events read in this transaction. */
export async function withAnalysis(
  transaction: Transaction,
  stored: StoredCase,
): Promise<StoredCase> {
  const idsOf = evidenceIdsOf(stored.evidence);
  const read = async (kind: "alerts" | "events"): Promise<readonly EvidenceRecord[]> => {
    const ids = idsOf[kind] ?? [];
    if (ids.length === 0) return [];
    const found = await transaction.records(resources[kind]).getForUpdate(ids);
    return ids.flatMap((id) => found.get(id) ?? []);
  };
  const evidence = { alerts: await read("alerts"), events: await read("events") };
  const { results, findings, span } = analyse(
    evidence,
    (idsOf.leads ?? []).map((id) => ({ id })),
  );
  return {
    ...stored,
    analysis_results: results,
    findings,
    start_timestamp: span?.start ?? stored.created_timestamp,
    end_timestamp: span?.end ?? stored.created_timestamp,
  };
}
