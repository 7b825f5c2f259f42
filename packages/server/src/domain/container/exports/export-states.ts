import { where } from "@security-platform/fql";
import { dueEffect } from "../../../jobs/due-effect.ts";
import type { Transaction, WritableRecords } from "../../../store/index.ts";
import { exportJobs, withoutFile, type ExportJob } from "./export-jobs.ts";

/** Changes an export. Returns it; null if it no longer exists or `change` returns null. */
export async function changeExport(
  transaction: Transaction,
  id: string,
  now: Date,
  change: (stored: ExportJob) => ExportJob | null,
): Promise<ExportJob | null> {
  const records = transaction.records(exportJobs);
  const stored = (await records.getForUpdate([id])).get(id);
  const changed = stored === undefined ? null : change(stored);
  if (changed === null) return null;
  const dated = { ...changed, updated_at: now.toISOString() };
  await records.replace([dated], now);
  return dated;
}

/** Ends an export, so that the next one of its resource can start. */
export async function endExport(
  transaction: Transaction,
  id: string,
  now: Date,
  end: Pick<ExportJob, "status"> & Partial<ExportJob>,
): Promise<void> {
  const ended = await changeExport(transaction, id, now, (stored) => ({ ...stored, ...end }));
  if (ended === null) return;
  const next = await nextOf(transaction.records(exportJobs), ended, now);
  if (next === undefined) return;
  await changeExport(transaction, next, now, (stored) => ({ ...stored, status: "READY" }));
}

async function nextOf(
  records: WritableRecords<ExportJob>,
  { resource }: ExportJob,
  now: Date,
): Promise<string | undefined> {
  const page = await records.page({
    predicate: where.all(where.equal("resource", resource), where.equal("status", "WAITING")),
    sort: [{ field: "created_at", direction: "asc" }],
    limit: 1,
    shape: "ids",
    now,
  });
  return page.items[0];
}

/** Removes the reference to an expired file; unreferenced files are deleted once a day. */
export const expireExports = dueEffect(exportJobs, "expiry", async (occasion) => {
  const { transaction, record, now } = occasion;
  await transaction.records(exportJobs).replace([withoutFile(record)], now);
});

/** Deletes the record of an old export. */
export const removeExports = dueEffect(exportJobs, "removal", async (occasion) => {
  const { transaction, record, now } = occasion;
  await transaction.records(exportJobs).remove([record.id], now);
});
