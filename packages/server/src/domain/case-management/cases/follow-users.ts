import { where } from "@security-platform/fql";
import { users, type StoredUser } from "../../../access/users.ts";
import type { JobKind } from "../../../jobs/job-kind.ts";
import { writeWithin } from "../../../records/write.ts";
import {
  platformCid,
  type Reaction,
  type RecordChange,
  type Store,
  type Transaction,
} from "../../../store/index.ts";
import { everyCase } from "../access-tags/reader.ts";
import { asCaseUser } from "../identity.ts";
import { cases, type Case, type StoredCase } from "../kinds/cases.ts";
import { serverAuthor, storeChange } from "./change-case.ts";
import { filled } from "../kinds/store-cases.ts";

const followUserKind = "cases.follow-user";

/** Number of cases per transaction. */
const batch = 100;

/**
 * A second pass finds the cases that were assigned meanwhile by requests that read the user before the
 * change.
 */
const passes = [0, 5 * 60_000];

/** A user, and the tenants that knew the user before the change. */
type Payload = { readonly uuid: string; readonly cids: readonly string[] };

/** A user who is renamed or deleted changes the cases that are assigned to the user. */
export const followAssignees: Reaction<StoredUser> = {
  run: async (transaction, changes, now) => {
    for (const change of changes) {
      if (change.before === null || !concernsCases(change)) continue;
      const { uuid, associated_cids: cids } = change.before;
      const payload: Payload = { uuid, cids };
      for (const milliseconds of passes) {
        const at = new Date(now.getTime() + milliseconds);
        await transaction.enqueue({ kind: followUserKind, key: uuid, payload, at }, now);
      }
    }
  },
};

const concernsCases = ({ before, after }: RecordChange<StoredUser>): boolean =>
  after === null || before?.name !== after.name || before.uid !== after.uid;

/**
 * Gives cases the current name of the user they are assigned to, and ends the assignment to a deleted
 * user. There is a transaction for each batch: other writes run in between. An attempt that was cut off
 * can be repeated.
 */
export const followUser = (store: Store): JobKind<Payload> => ({
  name: followUserKind,
  run: async ({ now, payload: { uuid, cids }, signal, write }) => {
    let changed = 0;
    const concerned = where.equal("assigned_to_uuid", uuid);
    for (const cid of cids) {
      const records = store.records(cases, everyCase(cid));
      for await (const ids of records.scanIds(concerned, now, batch)) {
        signal.throwIfAborted();
        const usersById = await store.records(users, { cid: platformCid }).getComplete([uuid], now);
        const user = usersById.get(uuid);
        const follow = (transaction: Transaction): Promise<number> =>
          user === undefined
            ? unassign(transaction, ids, uuid, now)
            : rename(transaction, ids, asCaseUser(user), now);
        changed += await write(follow, { cid });
      }
    }
    return { commit: async () => ({ changed }) };
  },
});

/** A name is a fact about the user, so the cases keep their versions, and the audit trail has no entry. */
async function rename(
  transaction: Transaction,
  ids: readonly string[],
  user: NonNullable<Case["assigned_to"]>,
  now: Date,
): Promise<number> {
  const stored = await assigned(transaction, ids, user.uuid);
  const outdated = stored.filter(
    ({ assigned_to }) =>
      assigned_to?.full_name !== user.full_name || assigned_to.email !== user.email,
  );
  const changed = outdated.map((each) => filled({ ...each, assigned_to: user }));
  if (changed.length > 0) await transaction.records(cases).replace(changed, now);
  return changed.length;
}

async function unassign(
  transaction: Transaction,
  ids: readonly string[],
  uuid: string,
  now: Date,
): Promise<number> {
  const { cid } = transaction;
  const changes = (await assigned(transaction, ids, uuid)).map((before) => {
    const { assigned_to: _user, ...after } = before;
    return { before, after };
  });
  await writeWithin(transaction, { cid, name: "cases unassign", now }, async (writing) => {
    await storeChange(writing, serverAuthor(cid), changes);
  });
  return changes.length;
}

/** The cases that are still assigned to the user, locked. */
async function assigned(
  transaction: Transaction,
  ids: readonly string[],
  uuid: string,
): Promise<readonly StoredCase[]> {
  const stored = await transaction.records(cases).getForUpdate(ids);
  return [...stored.values()].filter(({ assigned_to }) => assigned_to?.uuid === uuid);
}
