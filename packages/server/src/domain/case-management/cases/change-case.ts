import { errors } from "../../../foundation/errors.ts";
import { requireVersions } from "../../../records/expected-version.ts";
import type { Writing } from "../../../records/write.ts";
import { type RecordText, servedPart } from "../../../store/index.ts";
import { everyCase, type CaseReader } from "../access-tags/reader.ts";
import { withTimers } from "./case-sla.ts";
import { serverIdentity, type Identity } from "../identity.ts";
import { caseNoun, cases, type StoredCase } from "../kinds/cases.ts";
import { filled, type UnfilledCase } from "../kinds/store-cases.ts";

/** The author of a change, and the cases that the author can see. */
export interface CaseAuthor {
  readonly reader: CaseReader;
  readonly identity: Identity;
}

/** The server itself, for timers and background work. */
export const serverAuthor = (cid: string): CaseAuthor => ({
  reader: everyCase(cid),
  identity: serverIdentity,
});

export interface CaseChange {
  /** 409 unless the case has this version. */
  readonly expectedVersion?: number | undefined;
  /** 409 unless the analysis has this version. */
  readonly expectedConsistencyVersion?: number | undefined;
  /** True resumes and false pauses the timers of the SLA. */
  readonly slasActive?: boolean | undefined;
  /** The case with its changes. `version`, dates and authors are derived. */
  apply(stored: StoredCase): UnfilledCase | Promise<UnfilledCase>;
}

/** The case as the reader sees it, locked; 404 if the reader cannot see it. */
export async function lockCase(
  writing: Writing,
  { reader }: Pick<CaseAuthor, "reader">,
  id: string,
): Promise<StoredCase> {
  const stored = (await writing.transaction.records(cases, reader).getForUpdate([id])).get(id);
  if (stored === undefined) throw errors.recordsNotFound(caseNoun, [id]);
  return stored;
}

/** 409 for a case that was merged into another. */
export function refuseReadOnly({ id, read_only }: StoredCase, at: string): void {
  if (!read_only.is_read_only) return;
  const into = read_only.merged_into;
  const message = `case ${id} is read-only: it was merged into ${into}; change that case instead`;
  throw errors.conflict([{ at, id, message }]);
}

/**
 * The only way to change a case. 404 for a case that the author cannot see, 409 for a read-only
 * case and for an unexpected version. A change without effect does not store the case.
 */
export async function changeCase(
  writing: Writing,
  author: CaseAuthor,
  id: string,
  change: CaseChange,
): Promise<RecordText> {
  const before = await lockCase(writing, author, id);
  requireVersions(caseNoun, [
    { at: "body.expected_version", id, expected: change.expectedVersion, current: before.version },
    {
      at: "body.expected_consistency_version",
      id,
      expected: change.expectedConsistencyVersion,
      current: before.consistency.version,
    },
  ]);
  refuseReadOnly(before, "");
  const after = await change.apply(before);
  const [text] = await storeChange(writing, author, [{ before, after }], change.slasActive);
  return text ?? JSON.stringify(servedPart(cases, before));
}

/** Stores changed cases with their next version. Unchanged cases are not stored. */
export async function storeChange(
  writing: Writing,
  { identity }: Pick<CaseAuthor, "identity">,
  changes: readonly { readonly before: StoredCase; readonly after: UnfilledCase }[],
  slasActive?: boolean,
): Promise<readonly RecordText[]> {
  const { now } = writing;
  const changed = changes.flatMap(({ before, after }) => {
    const complete = filled(withTimers(after, { now, slasActive }));
    if (JSON.stringify(complete) === JSON.stringify(filled(before))) return [];
    return {
      ...complete,
      version: before.version + 1,
      updated_timestamp: now.toISOString(),
      last_updated_by: identity.user,
      update_actor: identity.actor,
      modifier: identity.key,
    };
  });
  return writing.records(cases).replace(changed);
}
