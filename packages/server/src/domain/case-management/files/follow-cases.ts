import { where } from "@security-platform/fql";
import type { Reaction, RecordChange, Transaction } from "../../../store/index.ts";
import { cases, type StoredCase } from "../kinds/cases.ts";
import { caseFiles, ofCase } from "./files.ts";

/**
 * Keeps files in sync with their cases: those of a merged case move to its destination, access tags
 * of a case hide its files, and a removed case takes its files with it.
 */
export const followCases: Reaction<StoredCase> = {
  run: async (transaction, changes, now) => {
    for (const change of changes) {
      if (concernsFiles(change)) await follow(transaction, change, now);
    }
  },
};

function concernsFiles({ before, after }: RecordChange<StoredCase>): boolean {
  // A new case has no files.
  if (before === null) return false;
  if (after === null) return true;
  return (
    before.read_only.merged_into !== after.read_only.merged_into || tagsOf(before) !== tagsOf(after)
  );
}

const tagsOf = ({ access_tags }: StoredCase): string =>
  JSON.stringify(access_tags.map(({ id }) => id));

async function follow(
  transaction: Transaction,
  { before, after }: RecordChange<StoredCase>,
  now: Date,
): Promise<void> {
  const stored = transaction.records(caseFiles);
  const files = await stored.findForUpdate(where.equal("case_id", before?.id ?? ""), now);
  if (files.length === 0) return;
  if (after === null) {
    await stored.remove(
      files.map(({ id }) => id),
      now,
    );
    return;
  }
  const { merged_into: target } = after.read_only;
  const owner =
    target === undefined
      ? after
      : (await transaction.records(cases).getForUpdate([target])).get(target);
  if (owner === undefined) return;
  await stored.replace(
    files.map((file) => ofCase(file, owner)),
    now,
  );
}
