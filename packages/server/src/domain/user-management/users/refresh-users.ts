import { where } from "@security-platform/fql";
import { writeAsCommand } from "../../../records/write.ts";
import { instantText, platformCid, type Store, type Transaction } from "../../../store/index.ts";
import {
  effectiveGrants,
  groupsOf,
  holdsAt,
  platformRecords,
  type Groups,
} from "../../../access/effective-grants.ts";
import { tenantAccessOf } from "../tenants/tenant-access.ts";
import { users, type StoredUser } from "../../../access/users.ts";

/** Number of users per batch. */
const batchSize = 500;

/**
 * Updates the members that are derived from the grants of these users. Reactions call this after every
 * change of a grant or a group.
 */
export async function refreshUsers(
  transaction: Transaction,
  uuids: readonly string[],
  now: Date,
): Promise<void> {
  const records = transaction.records(users);
  for (let start = 0; start < uuids.length; start += batchSize) {
    const batch = uuids.slice(start, start + batchSize);
    const groups = await groupsOf(transaction, batch, now);
    const stored = [...(await records.getForUpdate(batch)).values()];
    await records.replace(
      stored.map((user) => refreshed(user, groups, now)),
      now,
    );
  }
}

/** The user with the grants that are valid at `now`, and with the members derived from them. */
function refreshed(user: StoredUser, groups: Groups, now: Date): StoredUser {
  const { next_expiry: _next, first_temporary_cid: _first, ...rest } = user;
  return {
    ...rest,
    grants: user.grants.filter((grant) => holdsAt(grant, now)),
    ...tenantAccessOf(user.cid, effectiveGrants(user, groups, now)),
    revision: (user.revision ?? 0) + 1,
  };
}

/**
 * Removes expired grants and updates the members derived from them. Runs before every read of users by
 * tenant or filter, because grants expire without a write. Without expired grants, it costs one index
 * look-up.
 */
export async function removeExpiredGrants(store: Store, now: Date): Promise<void> {
  const expired = await withExpiredGrants(platformRecords(store).records(users), now);
  if (expired.length === 0) return;
  const command = { store, cid: platformCid, name: "expired grants", now, actor: "server" };
  await writeAsCommand(command, ({ transaction }) => removeExpiredGrantsIn(transaction, now));
}

/** Like `removeExpiredGrants`, within a write. */
export async function removeExpiredGrantsIn(transaction: Transaction, now: Date): Promise<void> {
  for (;;) {
    const uuids = await withExpiredGrants(transaction.records(users), now);
    if (uuids.length === 0) return;
    await refreshUsers(transaction, uuids, now);
  }
}

/** The next batch of users with expired grants. */
async function withExpiredGrants(
  records: Pick<ReturnType<Transaction["records"]>, "page">,
  now: Date,
): Promise<readonly string[]> {
  const page = await records.page({
    predicate: where.compare("next_expiry", "<=", instantText(now)),
    sort: [{ field: "next_expiry", direction: "asc" }],
    limit: batchSize,
    shape: "ids",
    now,
  });
  return page.items;
}
