import { isDeepStrictEqual } from "node:util";
import { where } from "@security-platform/fql";
import { userGroups, type StoredTenantGroup, type UserGroup } from "../../../access/groups.ts";
import type { StoredUser } from "../../../access/users.ts";
import type { Reaction, RecordChange, Transaction } from "../../../store/index.ts";
import { administratorsLost, requireAdministrators } from "../tenants/administrators.ts";
import { refreshUsers } from "../users/refresh-users.ts";

/**
 * Reacts to changes of users: updates the members derived from changed grants, removes deleted users from
 * groups, and rejects the transaction if it leaves a tenant without an administrator. New users are in no
 * group, and `newUser` computes the members derived from their grants.
 */
export const followUsers: Reaction<StoredUser> = {
  run: async (transaction, changes, now) => {
    const losses = changes.flatMap(({ before, after }) =>
      before === null ? [] : administratorsLost(before, after, now),
    );
    if (losses.length > 0) {
      transaction.beforeCommit(() => requireAdministrators(transaction, losses, now));
    }
    const deleted = changes.flatMap(({ before, after }) => (after === null ? before?.uuid : []));
    await leaveGroups(
      transaction,
      deleted.filter((uuid) => uuid !== undefined),
      now,
    );
    await refreshUsers(
      transaction,
      changes.filter(needsRefresh).flatMap(({ after }) => after?.uuid ?? []),
      now,
    );
  },
};

/** A refresh increments the revision, and needs no other refresh. */
const needsRefresh = ({ before, after }: RecordChange<StoredUser>): boolean =>
  before !== null &&
  after !== null &&
  before.revision === after.revision &&
  !isDeepStrictEqual(before.grants, after.grants);

async function leaveGroups(
  transaction: Transaction,
  uuids: readonly string[],
  now: Date,
): Promise<void> {
  if (uuids.length === 0) return;
  const records = transaction.records(userGroups);
  const groups = await records.findForUpdate(where.anyOf("user_uuids", uuids), now);
  if (groups.length === 0) return;
  const removed = new Set(uuids);
  await records.replace(
    groups.map((group) => ({
      ...group,
      user_uuids: group.user_uuids.filter((uuid) => !removed.has(uuid)),
    })),
    now,
  );
}

/**
 * Reacts to changes of user groups: updates users who joined or left, or whose roles in the group changed.
 */
export const followUserGroups: Reaction<UserGroup> = {
  run: async (transaction, changes, now) => {
    const uuids = changes.flatMap(({ before, after }) => {
      const left = before?.user_uuids ?? [];
      const joined = after?.user_uuids ?? [];
      return isDeepStrictEqual(rolesOf(before), rolesOf(after))
        ? difference(left, joined)
        : [...left, ...joined];
    });
    await refreshUsers(transaction, [...new Set(uuids)], now);
  },
};

const rolesOf = (group: UserGroup | null) => group && [group.cid, group.role_ids];

/** The entries that occur in only one of the two lists. */
function difference(left: readonly string[], right: readonly string[]): readonly string[] {
  const [leftSet, rightSet] = [new Set(left), new Set(right)];
  return [
    ...left.filter((entry) => !rightSet.has(entry)),
    ...right.filter((entry) => !leftSet.has(entry)),
  ];
}

/** Reacts to changes of tenant groups: updates the members of their user groups. */
export const followTenantGroups: Reaction<StoredTenantGroup> = {
  run: async (transaction, changes, now) => {
    const ids = changes.flatMap(({ before, after }) =>
      isDeepStrictEqual(grantsOf(before), grantsOf(after))
        ? []
        : [...(before?.user_group_ids ?? []), ...(after?.user_group_ids ?? [])],
    );
    const groups = await transaction.records(userGroups).getForUpdate([...new Set(ids)]);
    const uuids = [...groups.values()].flatMap(({ user_uuids }) => user_uuids);
    await refreshUsers(transaction, [...new Set(uuids)], now);
  },
};

const grantsOf = (group: StoredTenantGroup | null) =>
  group && [group.cid, group.cids, group.grants];
