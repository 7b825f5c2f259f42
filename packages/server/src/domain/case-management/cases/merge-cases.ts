import type { components } from "@security-platform/spec";
import { errors, type Problem } from "../../../foundation/errors.ts";
import { write, type WritingCall } from "../../../records/write.ts";
import { caseReader, type CaseReader } from "../access-tags/reader.ts";
import {
  evidenceIdsOf,
  noEvidence,
  refuseTooMuch,
  withAnalysis,
  withMore,
} from "../evidence/collect.ts";
import { identifyCaller } from "../identity.ts";
import { caseNoun, cases, type Case, type StoredCase } from "../kinds/cases.ts";
import { refuseReadOnly, storeChange } from "./change-case.ts";
import { analysedAgain } from "./extend-case.ts";
import { tagProblems, withTags } from "./tags.ts";

/** The document's maximum number of access tags of a case. */
const mostAccessTags = 100;

/**
 * Moves evidence and tags of the source to the destination, unites the access tags there, and closes
 * the source permanently. Files follow the source's `merged_into`.
 */
export async function mergeCases(
  call: WritingCall,
  { source_id, destination_id }: components["schemas"]["CaseMergeRequest"],
): Promise<void> {
  if (source_id === destination_id) {
    const message = "a case cannot be merged into itself; name another destination";
    throw errors.invalidRequest([{ at: "body.destination_id", message }]);
  }
  const identity = await identifyCaller(call);
  const reader = await caseReader(call);
  await write(call, async (writing) => {
    const { transaction } = writing;
    const ids = [source_id, destination_id];
    const casesById = await transaction.records(cases, reader).getForUpdate(ids);
    const [source, destination] = ids.map((id) => casesById.get(id));
    if (source === undefined || destination === undefined) {
      throw errors.recordsNotFound(
        caseNoun,
        ids.filter((id) => !casesById.has(id)),
      );
    }
    refuseReadOnly(source, "body.source_id");
    refuseReadOnly(destination, "body.destination_id");
    refuseClosed(destination);
    const evidence = joined(destination.evidence, source.evidence, destination_id);
    refuseTooMuch(evidence, "body.source_id");
    const tags = withTags(destination.tags, source.tags);
    const access_tags = unitedAccessTags(reader, destination, source);
    const problems = [
      ...tagProblems(tags, "body.source_id"),
      ...accessTagProblems(access_tags, "body.source_id"),
    ];
    if (problems.length > 0) throw errors.invalidRequest(problems);
    const closed: StoredCase = {
      ...analysedAgain(source),
      status: "closed",
      tags: [],
      evidence: noEvidence,
      read_only: { is_read_only: true, merged_into: destination_id },
    };
    const joint: StoredCase = { ...analysedAgain(destination), tags, access_tags, evidence };
    await storeChange(writing, { identity }, [
      { before: source, after: await withAnalysis(transaction, closed) },
      { before: destination, after: await withAnalysis(transaction, joint) },
    ]);
  });
}

function refuseClosed({ id, status }: StoredCase): void {
  if (status !== "closed") return;
  const message = `case ${id} is closed; reopen it before you merge into it`;
  throw errors.conflict([{ at: "body.destination_id", id, message }]);
}

/**
 * The access tags of both cases, so that nobody reads the content of a case with access tags without
 * one of them. Holders of a tag that only one case has gain access to the content of the other, so
 * the caller must hold such tags; 403 otherwise.
 */
function unitedAccessTags(
  { heldAccessTags: held }: CaseReader,
  destination: StoredCase,
  source: StoredCase,
): Case["access_tags"] {
  const { access_tags: into } = destination;
  const gained = withoutTags(source.access_tags, into);
  const notHeld = [...gained, ...withoutTags(into, source.access_tags)].filter(
    ({ id }) => held !== "all" && !held.includes(id),
  );
  if (notHeld.length > 0) {
    const keys = notHeld.map(({ key }) => key).join(", ");
    const message = `body.source_id: the cases have different access tags, and you do not hold ${keys}; only a caller who holds each tag that one case has and the other lacks can merge them`;
    throw errors.forbidden(message, source.id);
  }
  return [...into, ...gained];
}

const withoutTags = (
  tags: Case["access_tags"],
  others: Case["access_tags"],
): Case["access_tags"] => {
  const ids = new Set(others.map(({ id }) => id));
  return tags.filter(({ id }) => !ids.has(id));
};

function accessTagProblems({ length }: Case["access_tags"], at: string): readonly Problem[] {
  if (length <= mostAccessTags) return [];
  const message = `the case would have ${length} access tags; at most ${mostAccessTags} are allowed`;
  return [{ at, message }];
}

/** The evidence of both cases, without duplicates. */
function joined(into: Case["evidence"], from: Case["evidence"], caseId: string): Case["evidence"] {
  const moved = <Item extends object>(records: readonly Item[] = []) =>
    records.map((record) => ({ ...record, case_id: caseId }));
  const users = into.users.records ?? [];
  const custom = into.custom_evidence.records ?? [];
  return {
    ...withMore(into, evidenceIdsOf(from)),
    users: { records: [...users, ...moved(from.users.records)] },
    custom_evidence: { records: [...custom, ...moved(from.custom_evidence.records)] },
  };
}
