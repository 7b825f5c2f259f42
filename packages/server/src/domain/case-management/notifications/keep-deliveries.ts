import { where } from "@security-platform/fql";
import type { JobKind } from "../../../jobs/job-kind.ts";
import { findInAnyTenant, listNewest } from "../../../records/across-tenants.ts";
import { writeAsCommand } from "../../../records/write.ts";
import { instantText, type Store } from "../../../store/index.ts";
import { deliveries, jobKindOf, type Delivery, type DeliveryState } from "./deliveries.ts";

const day = 24 * 60 * 60_000;
const retentionDays = 90;

interface DeliveryQuery {
  /** Default: all tenants. */
  readonly cid?: string | undefined;
  readonly state?: DeliveryState | undefined;
  readonly caseId?: string | undefined;
  readonly limit: number;
}

const recordsOf = (store: Store) => (cid: string) => store.records(deliveries, { cid });

/** Deliveries of one tenant or of all tenants, newest first. For operators. */
export function listDeliveries(
  store: Store,
  now: Date,
  { cid, state, caseId, limit }: DeliveryQuery,
): Promise<readonly Delivery[]> {
  const predicate = where.all(
    state === undefined ? where.everything : where.equal("state", state),
    caseId === undefined ? where.everything : where.equal("case_id", caseId),
  );
  const query = { cid, predicate, newestBy: "created_at", limit } as const;
  return listNewest<Delivery>(store, recordsOf(store), query, now);
}

/** A delivery of any tenant, without its secrets; null for an unknown id. */
export async function findDelivery(store: Store, id: string, now: Date): Promise<Delivery | null> {
  const text = await findInAnyTenant(store, recordsOf(store), id, now);
  return text === null ? null : (JSON.parse(text) as Delivery);
}

/** Queues a failed message again, with all its attempts. Returns false if it has not failed. */
export function retryDelivery(
  store: Store,
  { cid, id }: Pick<Delivery, "cid" | "id">,
  now: Date,
): Promise<boolean> {
  return writeAsCommand({ store, cid, name: "deliveries retry", now }, async (writing) => {
    const records = writing.records(deliveries);
    const delivery = (await records.stored.getForUpdate([id])).get(id);
    if (delivery?.state !== "failed" || delivery.channel === null) return false;
    await records.replace([{ ...delivery, state: "waiting" }]);
    const job = { kind: jobKindOf(delivery.channel), payload: { id } };
    await writing.transaction.enqueue(job, now);
    return true;
  });
}

/** Deletes deliveries that are older than 90 days. */
export const purgeDeliveries = (store: Store): JobKind => ({
  name: "notifications.purge",
  everyMilliseconds: day,
  run: async ({ now, signal, write }) => {
    const before = new Date(now.getTime() - retentionDays * day);
    const old = where.compare("created_at", "<", instantText(before));
    let removed = 0;
    for (const { cid } of await store.directory.tenants()) {
      signal.throwIfAborted();
      if ((await store.records(deliveries, { cid }).count(old, now)) === 0) continue;
      removed += await write(
        async (transaction) => {
          const records = transaction.records(deliveries);
          const expired = await records.findForUpdate(old, now);
          await records.remove(
            expired.map(({ id }) => id),
            now,
          );
          return expired.length;
        },
        { cid },
      );
    }
    return { commit: async () => ({ removed }) };
  },
});
