import { createHash } from "node:crypto";
import type { components } from "@security-platform/spec";
import { errors, type ApiError, type Problem } from "../../../foundation/errors.ts";
import { newIdentifier } from "../../../foundation/identifiers.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Case, StoredCase } from "../kinds/cases.ts";
import type { UnfilledCase } from "../kinds/store-cases.ts";
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

/**
 * The evidence with additional ids, without duplicates. Returns the same object if all ids are
 * known.
 */
export function withMore(
  evidence: Evidence,
  ids: EvidenceIds,
  newId: (kind: EvidenceKind, id: string) => string = newIdentifier,
): Evidence {
  let changed = evidence;
  for (const kind of kinds) {
    const { records = [] } = evidence[kind];
    const earlierIds = new Set(records.map(({ selector }) => selector.id));
    const added = [...new Set(ids[kind])].filter((id) => !earlierIds.has(id));
    if (added.length === 0) continue;
    const more = added.map((id) => ({ id: newId(kind, id), selector: { id } }));
    changed = { ...changed, [kind]: { records: [...records, ...more] } };
  }
  return changed;
}

/** The problem of too much evidence for a case; `at` is the place of the added evidence. */
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

/** Evidence with ids derived from the case id, so that a repeated import changes nothing. */
export const importedEvidence = (caseId: string, input: Input | undefined): Evidence =>
  withMore(noEvidence, idsOfInput(input), (kind, id) =>
    createHash("sha256").update(`${caseId}/${kind}/${id}`).digest("hex").slice(0, 32),
  );

/** Alerts and events by id, as a transaction has read them. */
export interface StoredEvidence {
  readonly alerts: ReadonlyMap<string, EvidenceRecord>;
  readonly events: ReadonlyMap<string, EvidenceRecord>;
}

/** Reads the alerts and events of these ids, each once. */
export async function storedEvidence(
  transaction: Transaction,
  evidence: readonly EvidenceIds[],
): Promise<StoredEvidence> {
  const read = (kind: "alerts" | "events") => {
    const ids = new Set(evidence.flatMap((each) => each[kind] ?? []));
    if (ids.size === 0) return new Map<string, EvidenceRecord>();
    return transaction.records(resources[kind]).getForUpdate([...ids]);
  };
  const [foundAlerts, foundEvents] = await Promise.all([read("alerts"), read("events")]);
  return { alerts: foundAlerts, events: foundEvents };
}

/** 400 that names the members of a request whose alerts or events do not exist. */
export function evidenceProblems(
  stored: StoredEvidence,
  ids: EvidenceIds,
  at: string,
): readonly Problem[] {
  return (["alerts", "events"] as const).flatMap((kind) =>
    [...(ids[kind] ?? []).entries()].flatMap(([index, id]) =>
      stored[kind].has(id)
        ? []
        : [
            {
              at: `${at}.${kind}[${index}].id`,
              id,
              message: `there is no ${nouns[kind]} ${id}`,
            },
          ],
    ),
  );
}

const nouns = { alerts: "alert", events: "event" } as const;

/** 404 for alerts or events that do not exist. */
export const evidenceNotFound = (kind: "alerts" | "events", ids: readonly string[]): ApiError =>
  errors.recordsNotFound(nouns[kind], [...new Set(ids)]);

/** The case with the results of its evidence, as read in this transaction. */
export async function withAnalysis(
  transaction: Transaction,
  stored: StoredCase,
): Promise<StoredCase> {
  return analysed(await storedEvidence(transaction, [evidenceIdsOf(stored.evidence)]), stored);
}

/** The same with alerts and events that have been read. */
export function analysed<Of extends UnfilledCase>(evidence: StoredEvidence, stored: Of): Of {
  const idsOf = evidenceIdsOf(stored.evidence);
  const recordsOf = (kind: "alerts" | "events") =>
    (idsOf[kind] ?? []).flatMap((id) => evidence[kind].get(id) ?? []);
  const { results, findings, span } = analyse(
    { alerts: recordsOf("alerts"), events: recordsOf("events") },
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
