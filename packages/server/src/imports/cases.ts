import type { components } from "@security-platform/spec";
import { users } from "../access/users.ts";
import { viewerOf } from "../access/viewer.ts";
import { requestedAccessTags } from "../domain/case-management/access-tags/requested-access-tags.ts";
import { cases, type StoredCase } from "../domain/case-management/kinds/cases.ts";
import { newCase, nextReferenceId } from "../domain/case-management/cases/new-case.ts";
import { severityOf } from "../domain/case-management/cases/severity.ts";
import { filled } from "../domain/case-management/kinds/store-cases.ts";
import { tagProblems, withTags } from "../domain/case-management/cases/tags.ts";
import {
  analysed,
  evidenceIdsOf,
  evidenceProblems,
  importedEvidence,
  storedEvidence,
  tooMuchEvidence,
} from "../domain/case-management/evidence/collect.ts";
import { asCaseUser, serverIdentity } from "../domain/case-management/identity.ts";
import type { Directory, Transaction } from "../store/index.ts";
import type { Importer, LineProblem, ReadLine } from "./kind.ts";

type Input = Omit<components["schemas"]["CaseCreateRequest"], "template">;
type Line = Input & {
  readonly id: string;
  readonly reference_id?: string;
  readonly created_timestamp?: string;
  readonly updated_timestamp?: string;
};

/** Imports cases, one per line, with the evidence, users and access tags that they name. */
export const caseImporter: Importer<Line, StoredCase> = {
  resource: cases,
  // A case can have a hundred pieces of evidence, which are read with the batch.
  batch: 200,
  read: (line, { cid, now }) => {
    const { severity, problems } = severityOf(line, "");
    const tags = withTags([], line.tags ?? []);
    const evidence = importedEvidence(line.id, line.evidence);
    const neither = { at: "severity", message: "is required, or severity_info instead" };
    const all = [
      ...problems,
      ...(severity === null && problems.length === 0 ? [neither] : []),
      ...tagProblems(tags, "tags"),
      ...tooMuchEvidence(evidence, "evidence"),
    ];
    if (severity === null || all.length > 0) {
      return { problems: all.map(({ at, message }) => ({ at: at.replace(/^\./, ""), message })) };
    }
    const created = line.created_timestamp ?? now.toISOString();
    const plain = newCase(cid, new Date(created), serverIdentity, { name: line.name, severity });
    const { assigned_to_user_uuid: assigned } = line;
    return {
      record: filled({
        ...plain,
        id: line.id,
        reference_id: line.reference_id ?? "",
        description: line.description ?? "",
        description_format: line.description_format ?? "text",
        description_tagged_users: line.description_tagged_users ?? [],
        status: line.status ?? "new",
        tags,
        evidence,
        updated_timestamp: line.updated_timestamp ?? created,
        // Completed from what the tenant has.
        access_tags: (line.access_tags ?? []).map(({ id = "", key = "" }) => ({ id, key, cid })),
        ...(assigned === undefined
          ? {}
          : { assigned_to: { uuid: assigned, full_name: "", email: "" } }),
      }),
    };
  },
  begin: (cid, directory) => ({
    complete: (transaction, records, now) =>
      completed(transaction, { cid, directory, now }, records),
  }),
  renew: (stored, { line, record }) => {
    const { created_timestamp, creation_actor, created_by, creator, template, sla } = stored;
    const kept = {
      fields: stored.fields,
      workflows: stored.workflows,
      read_only: stored.read_only,
    };
    const next = {
      ...record,
      ...kept,
      ...(template === undefined ? {} : { template }),
      ...(sla === undefined ? {} : { sla }),
      created_by,
      creation_actor,
      creator,
      created_timestamp:
        line.created_timestamp === undefined ? created_timestamp : record.created_timestamp,
      updated_timestamp:
        line.updated_timestamp === undefined ? stored.updated_timestamp : record.updated_timestamp,
      version: stored.version,
      consistency: stored.consistency,
    };
    if (JSON.stringify(filled(next)) === JSON.stringify(stored)) return stored;
    return filled({ ...next, version: stored.version + 1 });
  },
};

interface About {
  readonly cid: string;
  readonly directory: Directory;
  readonly now: Date;
}

/** Resolves the users, access tags and evidence of the lines, and assigns numbers to new cases. */
async function completed(
  transaction: Transaction,
  { cid, directory, now }: About,
  records: readonly StoredCase[],
): Promise<readonly ReadLine<StoredCase>[]> {
  const viewer = await viewerOf(directory, cid);
  const named = records.flatMap(({ assigned_to, description_tagged_users }) => [
    ...(assigned_to === undefined ? [] : [assigned_to.uuid]),
    ...description_tagged_users,
  ]);
  const usersById = await transaction.records(users, viewer).getForUpdate([...new Set(named)]);
  const storedCases = await transaction.records(cases).getForUpdate(records.map(({ id }) => id));
  const evidence = await storedEvidence(
    transaction,
    records.map((record) => evidenceIdsOf(record.evidence)),
  );
  const results: ReadLine<StoredCase>[] = [];
  for (const record of records) {
    const { assigned_to, description_tagged_users, access_tags } = record;
    const problems: LineProblem[] = [];
    const refuse = (at: string, uuid: string) => {
      if (!usersById.has(uuid)) problems.push({ at, message: `there is no user ${uuid}` });
    };
    if (assigned_to !== undefined) refuse("assigned_to_user_uuid", assigned_to.uuid);
    for (const [index, uuid] of description_tagged_users.entries()) {
      refuse(`description_tagged_users[${index}]`, uuid);
    }
    const inputs = access_tags.map(({ id, key }) => ({
      ...(id === "" ? {} : { id }),
      ...(key === "" ? {} : { key }),
    }));
    const tags = await requestedAccessTags(transaction, inputs, { at: "access_tags", now });
    const ids = evidenceIdsOf(record.evidence);
    problems.push(...tags.problems, ...evidenceProblems(evidence, ids, "evidence"));
    if (problems.length > 0) {
      results.push({ problems });
      continue;
    }
    const user = assigned_to === undefined ? undefined : usersById.get(assigned_to.uuid);
    const complete = analysed(evidence, {
      ...record,
      reference_id: await numberOf(transaction, record, storedCases.get(record.id)),
      access_tags: [...tags.tags],
      ...(user === undefined ? {} : { assigned_to: asCaseUser(user) }),
    });
    results.push({ record: filled(complete) });
  }
  return results;
}

/** Keeps the number of a line, and reserves it, so that no later case gets it. */
async function numberOf(
  transaction: Transaction,
  { reference_id }: StoredCase,
  stored: StoredCase | undefined,
): Promise<string> {
  if (reference_id === "") return stored?.reference_id ?? nextReferenceId(transaction);
  await nextReferenceId(transaction, reference_id);
  return reference_id;
}
