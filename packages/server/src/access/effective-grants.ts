import { where } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import { roleName } from "./roles.ts";
import { platformCid, type Records, type Resource, type Store } from "../store/index.ts";
import { tenantGroups, userGroups, type TenantGroup, type UserGroup } from "./groups.ts";
import type { DirectGrant, StoredUser } from "./users.ts";

/** A role of a user, in the form that `CombinedUserRolesV2` shows to the home tenant. */
export type EffectiveGrant = Omit<components["schemas"]["GrantV2"], "user_type">;

/** The groups of one or more users. */
export interface Groups {
  readonly userGroups: readonly UserGroup[];
  readonly tenantGroups: readonly TenantGroup[];
}

/** Reads the platform's records: a transaction of the platform, or `platformRecords`. */
export interface PlatformReader {
  records<Record extends object>(resource: Resource<Record>): Records<Record>;
}

export const platformRecords = (store: Store): PlatformReader => ({
  records: (resource) => store.records(resource, { cid: platformCid }),
});

/**
 * Every role that the user holds at `now`, with one entry for each grant. `groups` may contain groups of
 * other users.
 */
export function effectiveGrants(
  user: Pick<StoredUser, "uuid" | "grants">,
  groups: Groups,
  now: Date,
): readonly EffectiveGrant[] {
  const memberships = groups.userGroups.filter(({ user_uuids }) => user_uuids.includes(user.uuid));
  return [
    ...directGrants(user, now),
    ...memberships.flatMap((group) => grantsOfUserGroup(user.uuid, group)),
    ...groups.tenantGroups.flatMap((group) => grantsOfTenantGroup(user.uuid, group, memberships)),
  ];
}

/** Whether a direct grant is valid at `now`. It is not valid from `expires_at` on. */
export const holdsAt = ({ expires_at }: Pick<DirectGrant, "expires_at">, now: Date): boolean =>
  expires_at === undefined || Date.parse(expires_at) > now.getTime();

function directGrants(
  { uuid, grants }: Pick<StoredUser, "uuid" | "grants">,
  now: Date,
): readonly EffectiveGrant[] {
  return grants
    .filter((grant) => holdsAt(grant, now))
    .map(({ cid, role_id, expires_at }) => ({
      cid,
      ...(expires_at === undefined ? {} : { expires_at }),
      grant_type: "direct",
      role_id,
      role_name: roleName(role_id),
      uuid,
    }));
}

const grantsOfUserGroup = (
  uuid: string,
  { id, name, cid, role_ids }: UserGroup,
): readonly EffectiveGrant[] =>
  role_ids.map((role_id) => ({
    cid,
    grant_type: "user_group",
    role_id,
    role_name: roleName(role_id),
    user_group_id: id,
    user_group_name: name,
    uuid,
  }));

/** A tenant group grants roles only to user groups of its own tenant. */
const grantsOfTenantGroup = (
  uuid: string,
  group: TenantGroup,
  memberships: readonly UserGroup[],
): readonly EffectiveGrant[] =>
  group.grants.flatMap(({ user_group_id, role_ids }) =>
    memberships
      .filter(({ id, cid }) => id === user_group_id && cid === group.cid)
      .flatMap(({ name }) =>
        group.cids.flatMap((cid) =>
          role_ids.map((role_id) => ({
            cid,
            cid_group_id: group.id,
            cid_group_name: group.name,
            grant_type: "cid_group" as const,
            parent_cid: group.cid,
            role_id,
            role_name: roleName(role_id),
            user_group_id,
            user_group_name: name,
            uuid,
          })),
        ),
      ),
  );

/** The groups of these users, and the tenant groups that refer to them. */
export async function groupsOf(
  reader: PlatformReader,
  uuids: readonly string[],
  now: Date,
): Promise<Groups> {
  const groups = await readAll(reader.records(userGroups), "user_uuids", uuids, now);
  if (groups.length === 0) return { userGroups: [], tenantGroups: [] };
  const ids = groups.map(({ id }) => id);
  return {
    userGroups: groups,
    tenantGroups: await readAll(reader.records(tenantGroups), "user_group_ids", ids, now),
  };
}

async function readAll<Record extends object>(
  reader: Records<Record>,
  field: string,
  values: readonly string[],
  now: Date,
): Promise<readonly Record[]> {
  if (values.length === 0) return [];
  const records: Record[] = [];
  for await (const batch of reader.scanComplete(where.anyOf(field, values), now)) {
    records.push(...batch);
  }
  return records;
}
