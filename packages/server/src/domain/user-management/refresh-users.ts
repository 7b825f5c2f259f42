import { platformCid, type Store, type Transaction } from "../../store/types.ts";
import { administratorsLost, type AdministratorLoss } from "./administrators.ts";
import {
  effectiveGrants,
  groupsOf,
  holdsAt,
  platformRecords,
  type Groups,
} from "../../access/effective-grants.ts";
import { reachOf } from "./reach.ts";
import { users, type StoredUser } from "../../access/users.ts";

/** So many users are written at a time. */
const batchSize = 500;

/**
 * Writes anew what follows from the grants of these users; needed wherever a grant or a group changes.
 * Gives what tenants lose by it.
 */
export async function refreshUsers(
  transaction: Transaction,
  uuids: readonly string[],
  now: Date,
): Promise<readonly AdministratorLoss[]> {
  const records = transaction.records(users);
  const losses: AdministratorLoss[] = [];
  for (let start = 0; start < uuids.length; start += batchSize) {
    const batch = uuids.slice(start, start + batchSize);
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    const groups = await groupsOf(transaction, batch, now);
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    const stored = [...(await records.take(batch)).values()];
    const changes = stored.map((before) => ({ before, after: refreshed(before, groups, now) }));
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    await records.replace(
      changes.map(({ after }) => after),
      now,
    );
    losses.push(...changes.flatMap(({ before, after }) => administratorsLost(before, after)));
  }
  return losses;
}

/** The user with what follows from the grants that hold at `now`; expired ones are dropped. */
export function refreshed(user: StoredUser, groups: Groups, now: Date): StoredUser {
  const { next_expiry: _next, first_temporary_cid: _first, ...rest } = user;
  return {
    ...rest,
    grants: user.grants.filter((grant) => holdsAt(grant, now)),
    ...reachOf(user.cid, effectiveGrants(user, groups, now)),
    revision: (user.revision ?? 0) + 1,
  };
}

/**
 * Ends grants whose time has come, so that what follows from them holds at `now`. Comes before every
 * read of users by tenant or filter; with nothing to end it is one look-up in an index.
 */
export async function settleExpired(store: Store, now: Date): Promise<void> {
  const due = (await expired(platformRecords(store).records(users), now)).length > 0;
  if (due) await store.write(platformCid, (transaction) => settleWithin(transaction, now));
}

/** As `settleExpired`, as part of a write. */
export async function settleWithin(transaction: Transaction, now: Date): Promise<void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each batch leaves the next to find
    const uuids = await expired(transaction.records(users), now);
    if (uuids.length === 0) return;
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    await refreshUsers(transaction, uuids, now);
  }
}

async function expired(
  records: Pick<ReturnType<Transaction["records"]>, "page">,
  now: Date,
): Promise<readonly string[]> {
  const page = await records.page({
    predicate: { kind: "compare", field: "next_expiry", operator: "<=", value: canonical(now) },
    sort: [{ field: "next_expiry", direction: "asc" }],
    limit: batchSize,
    shape: "ids",
    now,
  });
  return page.items;
}

/** As filters compare timestamps: nine fraction digits. */
const canonical = (instant: Date): string => instant.toISOString().replace("Z", "000000Z");
