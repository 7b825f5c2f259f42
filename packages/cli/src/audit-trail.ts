import { systemClock, type Store } from "@security-platform/server";

/** Puts a change made from the command line on the tenant's audit trail. */
export async function recordAudit(
  store: Store,
  cid: string,
  operation: string,
  ids: readonly string[],
): Promise<void> {
  await store.write(cid, (transaction) =>
    transaction.audit({
      at: systemClock.now(),
      actor: "cli",
      operation,
      trace_id: null,
      comment: null,
      ids,
    }),
  );
}
