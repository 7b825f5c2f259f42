import type { Authorizations, RequiredAction } from "../../access/authorize.ts";
import {
  grantedByTenantGroups,
  grantedByUserGroups,
} from "../../domain/companion/granted-roles.ts";

const revokes = { action: (): RequiredAction => ({ action: "revoke_role" }) };

/** Membership in a group grants roles. Changing it requires the permission to grant or revoke them. */
export const companionAuthorizations: Authorizations = {
  addUserGroupMembers: {
    action: (call) =>
      grantedByUserGroups(
        call,
        call.body.resources.map(({ user_group_id }) => user_group_id),
      ),
  },
  deleteUserGroupMembers: revokes,
  deleteUserGroups: revokes,
  addCIDGroupMembers: { action: (call) => grantedByTenantGroups(call, call.body.resources) },
  deleteCIDGroupMembers: revokes,
  deleteCIDGroupMembersV2: revokes,
  deleteCIDGroups: revokes,
};
