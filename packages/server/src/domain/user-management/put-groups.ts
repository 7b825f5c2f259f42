import type { Transaction } from "../../store/types.ts";
import {
  tenantGroups,
  userGroups,
  type StoredTenantGroup,
  type TenantGroup,
  type UserGroup,
} from "./groups.ts";
import { refreshUsers } from "./refresh-users.ts";

/** Stores groups of users, in a transaction on the platform; who was or is in them gets or loses roles. */
export async function putUserGroups(
  transaction: Transaction,
  groups: readonly UserGroup[],
  now: Date,
): Promise<void> {
  const records = transaction.records(userGroups);
  const before = await records.take(groups.map(({ id }) => id));
  await records.put(groups, now);
  await refreshUsers(transaction, membersOf([...before.values(), ...groups]), now);
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
  const ids = [...before.values(), ...after].flatMap(({ user_group_ids }) => user_group_ids);
  const named = await transaction.records(userGroups).take([...new Set(ids)]);
  await refreshUsers(transaction, membersOf([...named.values()]), now);
}

const storedTenantGroup = (group: TenantGroup): StoredTenantGroup => ({
  ...group,
  user_group_ids: [...new Set(group.grants.map(({ user_group_id }) => user_group_id))],
});

const membersOf = (groups: readonly UserGroup[]): readonly string[] => [
  ...new Set(groups.flatMap(({ user_uuids }) => user_uuids)),
];
