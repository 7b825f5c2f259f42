import { compareCodePoints } from "@security-platform/fql";
import type { EffectiveGrant } from "../../../access/effective-grants.ts";
import type { TenantAccess } from "../../../access/users.ts";

/** The role that allows everything in a tenant. Every tenant must keep a user with this role. */
export const administratorRole = "falconhost_admin";

/** The user's access to each tenant, from all grants. `home`: the user's own tenant. */
export function tenantAccessOf(home: string, grants: readonly EffectiveGrant[]): TenantAccess {
  const temporary = grants.filter(({ expires_at }) => expires_at !== undefined);
  const administrating = grants.filter(({ role_id }) => role_id === administratorRole);
  const temporarily_assigned_cids = cidsOf(temporary);
  const [first_temporary_cid] = temporarily_assigned_cids;
  const [next_expiry] = temporary
    .flatMap(({ expires_at }) => expires_at ?? [])
    .toSorted(compareCodePoints);
  return {
    assigned_cids: cidsOf(grants),
    direct_assigned_cids: cidsOf(grants.filter(({ grant_type }) => grant_type === "direct")),
    associated_cids: cidsOf([{ cid: home }, ...grants]),
    temporarily_assigned_cids,
    ...(first_temporary_cid === undefined ? {} : { first_temporary_cid }),
    has_temporary_roles: temporary.length > 0,
    administered_cids: cidsOf(administrating),
    lastingly_administered_cids: cidsOf(
      administrating.filter(({ expires_at }) => expires_at === undefined),
    ),
    ...(next_expiry === undefined ? {} : { next_expiry }),
  };
}

const cidsOf = (grants: readonly { readonly cid: string }[]): readonly string[] =>
  [...new Set(grants.map(({ cid }) => cid))].toSorted(compareCodePoints);
