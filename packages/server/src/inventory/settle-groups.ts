import type { Transaction } from "../store/types.ts";
import { refreshShownGroups } from "../domain/prevention-policy/shown-groups.ts";
import { settleMembership, type GroupChange } from "./settle-membership.ts";

/** Brings up to date whatever follows from groups, in the transaction that changed them. */
export async function settleGroups(
  transaction: Transaction,
  changes: readonly GroupChange[],
  now: Date,
): Promise<void> {
  await settleMembership(transaction, changes, now);
  const changed = changes.flatMap(({ before, after }) => (before === undefined ? [] : after.id));
  if (changed.length > 0) await refreshShownGroups(transaction, changed, now);
}
