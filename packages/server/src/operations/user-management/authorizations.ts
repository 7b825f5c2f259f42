import type { Authorizations, RequiredAction } from "../../access/authorize.ts";

const grantOrRevoke = ({
  action,
  cid,
  role_ids,
}: {
  readonly action: "grant" | "revoke";
  readonly cid: string;
  readonly role_ids: readonly string[];
}): RequiredAction =>
  action === "grant"
    ? { action: "grant_role", cid, granted: role_ids }
    : { action: "revoke_role", cid };

const readsTenantOfQuery = {
  readsTenants: ({ query }: { readonly query: { readonly cid?: string | undefined } }) => [
    query.cid,
  ],
};

/** One scope covers all changes to users. Roles allow each action separately. */
export const userManagementAuthorizations: Authorizations = {
  createUserV1: {
    action: ({ body: { cid } }) => ({
      action: "create_user",
      ...(cid === undefined ? {} : { cid }),
    }),
  },
  updateUserV1: { action: () => ({ action: "update_user" }) },
  deleteUserV1: { action: () => ({ action: "delete_user" }) },
  userRolesActionV1: { action: ({ body }) => grantOrRevoke(body) },
  userRolesActionV2: { action: ({ body }) => grantOrRevoke(body) },
  userActionV1: { action: ({ body }) => ({ action: body.action.action_name }) },
  CreateUser: { action: () => ({ action: "create_user" }) },
  UpdateUser: { action: () => ({ action: "update_user" }) },
  DeleteUser: { action: () => ({ action: "delete_user" }) },
  GrantUserRoleIds: {
    action: ({ body }) => ({ action: "grant_role", granted: body.role_ids }),
  },
  RevokeUserRoleIds: { action: () => ({ action: "revoke_role" }) },
  combinedUserRolesV1: readsTenantOfQuery,
  CombinedUserRolesV2: readsTenantOfQuery,
  CombinedUserRolesV3: readsTenantOfQuery,
  queriesRolesV1: readsTenantOfQuery,
  entitiesRolesV1: readsTenantOfQuery,
  entitiesRolesGETV2: readsTenantOfQuery,
  userAllowedActionsV1: {
    readsTenants: ({ body }) => body.allowed_actions.map(({ cid }) => cid),
  },
};
