import { systemClock, writeAsCommand, type Store } from "@security-platform/server/internal";

/** Records a change made on the command line in the tenant's audit trail. */
export const recordAudit = (
  store: Store,
  cid: string,
  name: string,
  ids: readonly string[],
): Promise<void> =>
  writeAsCommand({ store, cid, name, now: systemClock.now() }, async (writing) =>
    writing.audit(ids),
  );
