import type { components } from "@security-platform/spec";
import { roleName } from "./roles.ts";
import { platformCid, type Records, type Resource, type Store } from "../store/types.ts";
import { tenantGroups, userGroups, type TenantGroup, type UserGroup } from "./groups.ts";
import type { DirectGrant, StoredUser } from "./users.ts";

/** A role held now, however it was granted, as `CombinedUserRolesV2` shows it to the home tenant. */
export type EffectiveGrant = Omit<components["schemas"]["GrantV2"], "user_type">;

/** Groups; of one user or of many. */
export interface Groups {
  readonly userGroups: readonly UserGroup[];
  readonly tenantGroups: readonly TenantGroup[];
}

/** What can read the platform's records: a transaction on them, or `platformRecords`. */
export interface PlatformReader {
  records<Record extends object>(resource: Resource<Record>): Records<Record>;
}

export const platformRecords = (store: Store): PlatformReader => ({
  records: (resource) => store.records(resource, { cid: platformCid }),
});

/**
 * Every role that the user holds at `now`, an entry for each way it came about: the one place that says
 * so. `groups` may hold more than those that concern the user.
 */
export function effectiveGrants(
  user: Pick<StoredUser, "uuid" | "grants">,
  groups: Groups,
  now: Date,
): readonly EffectiveGrant[] {
  const mine = groups.userGroups.filter(({ user_uuids }) => user_uuids.includes(user.uuid));
  return [
    ...directGrants(user, now),
    ...mine.flatMap((group) => grantsOfUserGroup(user.uuid, group)),
    ...groups.tenantGroups.flatMap((group) => grantsOfTenantGroup(user.uuid, group, mine)),
  ];
}

/** Whether a direct grant has not ended: at `expires_at` it has. */
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

/** Only groups of users that the same parent made count. */
const grantsOfTenantGroup = (
  uuid: string,
  group: TenantGroup,
  mine: readonly UserGroup[],
): readonly EffectiveGrant[] =>
  group.grants.flatMap(({ user_group_id, role_ids }) =>
    mine
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

/** The groups that any of these users is in, and the tenant groups that name them. */
export async function groupsOf(
  reader: PlatformReader,
  uuids: readonly string[],
  now: Date,
): Promise<Groups> {
  const found = await all(reader.records(userGroups), "user_uuids", uuids, now);
  if (found.length === 0) return { userGroups: [], tenantGroups: [] };
  const ids = found.map(({ id }) => id);
  return {
    userGroups: found,
    tenantGroups: await all(reader.records(tenantGroups), "user_group_ids", ids, now),
  };
}

async function all<Record extends object>(
  records: Records<Record>,
  field: string,
  values: readonly string[],
  now: Date,
): Promise<readonly Record[]> {
  if (values.length === 0) return [];
  const found: Record[] = [];
  for await (const batch of records.scanWhole({ kind: "any-of", field, values }, now)) {
    found.push(...batch);
  }
  return found;
}
