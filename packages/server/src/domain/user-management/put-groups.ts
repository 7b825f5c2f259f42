import type { Transaction } from "../../store/types.ts";
import { keepAdministrators } from "./administrators.ts";
import {
  tenantGroups,
  userGroups,
  type StoredTenantGroup,
  type TenantGroup,
  type UserGroup,
} from "../../access/groups.ts";
import { refreshUsers } from "./refresh-users.ts";

/** A group as it was, if it was there, and as it is. */
interface GroupChange<Group> {
  readonly before?: Group;
  readonly after: Group;
}

/** Stores groups of users, in a transaction on the platform; who was or is in them gets or loses roles. */
export async function putUserGroups(
  transaction: Transaction,
  groups: readonly UserGroup[],
  now: Date,
): Promise<void> {
  const records = transaction.records(userGroups);
  const before = await records.take(groups.map(({ id }) => id));
  await records.put(groups, now);
  await refreshMembers(transaction, changesOf(before, groups), now);
}

/** Stores groups of tenants, in a transaction on the platform; who they name gets or loses roles. */
export async function putTenantGroups(
  transaction: Transaction,
  groups: readonly TenantGroup[],
  now: Date,
): Promise<void> {
  const records = transaction.records(tenantGroups);
  const before = await records.take(groups.map(({ id }) => id));
  const after = groups.map(storedTenantGroup);
  await records.put(after, now);
  await refreshNamed(transaction, changesOf(before, after), now);
}

/**
 * What follows from changed groups of users for their members; part of every write of such groups. 409
 * where a tenant would lose its last administrator.
 */
export const refreshMembers = (
  transaction: Transaction,
  changes: readonly GroupChange<UserGroup>[],
  now: Date,
): Promise<void> => refreshAll(transaction, membersOf(allOf(changes)), now);

/** As `refreshMembers`, of changed groups of tenants for the users that they name. */
export async function refreshNamed(
  transaction: Transaction,
  changes: readonly GroupChange<StoredTenantGroup>[],
  now: Date,
): Promise<void> {
  const ids = allOf(changes).flatMap(({ user_group_ids }) => user_group_ids);
  const named = await transaction.records(userGroups).take([...new Set(ids)]);
  await refreshAll(transaction, membersOf([...named.values()]), now);
}

async function refreshAll(
  transaction: Transaction,
  uuids: readonly string[],
  now: Date,
): Promise<void> {
  const losses = await refreshUsers(transaction, uuids, now);
  // What a group gives has no end, and what ends by itself meanwhile is no group's doing.
  const lasting = losses.filter(({ list }) => list === "lastingly_administered_cids");
  await keepAdministrators(transaction, lasting, now);
}

export const storedTenantGroup = (group: TenantGroup): StoredTenantGroup => ({
  ...group,
  user_group_ids: [...new Set(group.grants.map(({ user_group_id }) => user_group_id))],
});

const changesOf = <Group extends { readonly id: string }>(
  before: ReadonlyMap<string, Group>,
  groups: readonly Group[],
): readonly GroupChange<Group>[] =>
  groups.map((after) => {
    const old = before.get(after.id);
    return old === undefined ? { after } : { before: old, after };
  });

const allOf = <Group>(changes: readonly GroupChange<Group>[]): readonly Group[] =>
  changes.flatMap(({ before, after }) => (before === undefined ? [after] : [before, after]));

const membersOf = (groups: readonly UserGroup[]): readonly string[] => [
  ...new Set(groups.flatMap(({ user_uuids }) => user_uuids)),
];
