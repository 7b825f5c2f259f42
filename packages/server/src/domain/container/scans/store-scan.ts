import { where } from "@security-platform/fql";
import { writeLarge, type Writing, type WritingCall } from "../../../records/write.ts";
import { type Resource, DuplicateRecordError } from "../../../store/index.ts";
import { rowResources, rowsOf, detectionRows, packageRows, vulnerabilityRows } from "./rows.ts";
import { scans, type ImageReport, type Scan } from "./scans.ts";
import { ticketRefused, usedTickets, type UsedTicket } from "./ticket.ts";

/** Rows per statement. */
const batch = 500;

/** Throws 403 for a used ticket. `storeScan` checks again, but then the inventory has been matched. */
export async function refuseUsedTicket(
  { caller, context, now }: WritingCall,
  { id }: UsedTicket,
): Promise<void> {
  const used = await context.store.records(usedTickets, { cid: caller.cid }).get([id], now);
  if (used.size > 0) throw ticketRefused("used", id);
}

/** Marks a ticket as used. A used ticket is rejected. */
async function useTicket(writing: Writing, ticket: UsedTicket): Promise<void> {
  try {
    await writing.records(usedTickets).stored.insert([ticket], writing.now);
  } catch (error) {
    if (error instanceof DuplicateRecordError) throw ticketRefused("used", ticket.id);
    throw error;
  }
}

/** A scan whose report is in the object store. */
export interface ReportedScan {
  readonly scan: Scan;
  readonly report: ImageReport;
}

/** Stores the scan of an inventory. Without a scan, only the ticket is marked as used. */
export function storeScan(
  call: WritingCall,
  ticket: UsedTicket,
  result: ReportedScan | null,
): Promise<void> {
  return writeLarge(call, async (writing) => {
    await useTicket(writing, ticket);
    if (result !== null) await addScan(writing, result);
  });
}

/**
 * Stores a scan and its rows. They replace the rows of the previous scan of the image. A scan that
 * began before the newest one is stored, but does not become the newest. The writes of a tenant are
 * serialised across processes, so exactly one scan is the newest.
 */
export async function addScan(writing: Writing, { scan, report }: ReportedScan): Promise<void> {
  const written = writing.records(scans);
  const former = await written.stored.findForUpdate(
    where.all(where.equal("image", scan.image), where.equal("newest", true)),
    writing.now,
  );
  if (former.some(({ scanned_at }) => scanned_at > scan.scanned_at)) {
    await written.insert([{ ...scan, newest: false }]);
    return;
  }
  await retire(writing, former);
  await written.insert([scan]);
  const rows = rowsOf(scan, report);
  await insertRows(writing, vulnerabilityRows, rows.vulnerabilities);
  await insertRows(writing, detectionRows, rows.detections);
  await insertRows(writing, packageRows, rows.packages);
}

/** The scans are no longer the newest ones of their images; exports and policies ignore them. */
async function retire(writing: Writing, former: readonly Scan[]): Promise<void> {
  await writing.records(scans).stored.replace(
    former.map((each) => ({ ...each, newest: false })),
    writing.now,
  );
  await removeRows(
    writing,
    former.map(({ scan_uuid }) => scan_uuid),
  );
}

/** Retires the scans of images to which a tag no longer refers. `digests`: of images or their indexes. */
export async function retireReplaced(
  writing: Writing,
  { registry, repository, tag }: Pick<Scan, "registry" | "repository" | "tag">,
  digests: readonly string[],
): Promise<void> {
  if (digests.length === 0) return;
  const former = await writing
    .records(scans)
    .stored.findForUpdate(
      where.all(
        where.equal("registry", registry),
        where.equal("repository", repository),
        where.equal("tag", tag),
        where.equal("newest", true),
        where.any(where.anyOf("image_digest", digests), where.anyOf("index_digest", digests)),
      ),
      writing.now,
    );
  await retire(writing, former);
}

async function insertRows<Row extends object>(
  writing: Writing,
  resource: Resource<Row>,
  rows: Iterable<Row>,
): Promise<void> {
  const { stored } = writing.records(resource);
  let some: Row[] = [];
  for (const row of rows) {
    some.push(row);
    if (some.length < batch) continue;
    await stored.insert(some, writing.now);
    some = [];
  }
  if (some.length > 0) await stored.insert(some, writing.now);
}

/** Removes the rows of scans. */
export async function removeRows(writing: Writing, scanIds: readonly string[]): Promise<void> {
  if (scanIds.length === 0) return;
  for (const resource of rowResources) {
    const { stored } = writing.records(resource as Resource<{ readonly id: string }>);
    await stored.removeMatching(where.anyOf("scan", scanIds), writing.now);
  }
}
