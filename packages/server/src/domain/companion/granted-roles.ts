import { where } from "@security-platform/fql";
import type { RequiredAction } from "../../access/authorize.ts";
import { platformRecords } from "../../access/effective-grants.ts";
import { tenantGroups, userGroups } from "../../access/groups.ts";
import type { Call } from "../../calls/call.ts";

type ReadingCall = Pick<Call, "context" | "now">;

/**
 * The permissions required to add members to user groups: to grant the roles of the groups, in the tenant
 * and through tenant groups.
 */
export async function grantedByUserGroups(
  { context, now }: ReadingCall,
  ids: readonly string[],
): Promise<readonly RequiredAction[]> {
  const reader = platformRecords(context.store);
  const groups = await reader.records(userGroups).getComplete(ids, now);
  const required: RequiredAction[] = [
    { action: "grant_role" },
    ...[...groups.values()].map(({ cid, role_ids }) => granting(cid, role_ids)),
  ];
  const naming = where.anyOf("user_group_ids", [...groups.keys()]);
  for await (const batch of reader.records(tenantGroups).scanComplete(naming, now)) {
    for (const { cids, grants } of batch) {
      const role_ids = grants
        .filter(({ user_group_id }) => groups.has(user_group_id))
        .flatMap((grant) => grant.role_ids);
      required.push(...cids.map((cid) => granting(cid, role_ids)));
    }
  }
  return required;
}

/**
 * The permissions required to add tenants to tenant groups: to grant the roles of the user groups in those
 * tenants.
 */
export async function grantedByTenantGroups(
  { context, now }: ReadingCall,
  items: readonly { readonly cid_group_id: string; readonly cids: readonly string[] }[],
): Promise<readonly RequiredAction[]> {
  const groups = await platformRecords(context.store)
    .records(tenantGroups)
    .getComplete(
      items.map(({ cid_group_id }) => cid_group_id),
      now,
    );
  return [
    { action: "grant_role" },
    ...items.flatMap(({ cid_group_id, cids }) => {
      const role_ids = groups.get(cid_group_id)?.grants.flatMap((grant) => grant.role_ids) ?? [];
      return role_ids.length === 0 ? [] : cids.map((cid) => granting(cid, role_ids));
    }),
  ];
}

const granting = (cid: string, role_ids: readonly string[]): RequiredAction => ({
  action: "grant_role",
  cid,
  granted: [...new Set(role_ids)],
});
