import { internalUserFields } from "../../access/users.ts";
import { fqlTables, type OperationId } from "@security-platform/spec";
import { platformRecords } from "../../access/effective-grants.ts";
import { rolesIn } from "../../access/tenant-roles.ts";
import type { Answer } from "../../calls/answer.ts";
import type { Call } from "../../calls/call.ts";
import { aggregateUsers } from "../../domain/user-management/users/aggregate-users.ts";
import { allowedActions } from "../../domain/user-management/grants/allowed-actions.ts";
import { changeAnyGrants } from "../../domain/user-management/invitations/change-any-grants.ts";
import { changeGrantsOf } from "../../domain/user-management/grants/change-grants.ts";
import { getRoles } from "../../domain/user-management/grants/get-roles.ts";
import { getUsers } from "../../domain/user-management/users/get-users.ts";
import {
  invitationNoun,
  invitations,
} from "../../domain/user-management/invitations/invitations.ts";
import { legacyText } from "../../domain/user-management/users/legacy-user.ts";
import { listGrants } from "../../domain/user-management/grants/list-grants.ts";
import {
  internalUserIds,
  internalUserUids,
  listUsers,
} from "../../domain/user-management/users/list-users.ts";
import { renameUser } from "../../domain/user-management/users/rename-user.ts";
import { resetUsers } from "../../domain/user-management/users/reset-users.ts";
import { userText } from "../../domain/user-management/users/served-user.ts";
import type { OperationHandlers } from "../../calls/handler.ts";
import { eachOnce, getRecords } from "../../records/get.ts";
import { listRecords } from "../../records/list.ts";
import { legacyCreateUser } from "./CreateUser.ts";
import { createUserV1 } from "./createUserV1.ts";
import { deleteUserV1 } from "./deleteUserV1.ts";
import { getRoles as legacyGetRoles } from "./GetRoles.ts";
import { getUserRoleIds } from "./GetUserRoleIds.ts";
import { grantUserRoleIds } from "./GrantUserRoleIds.ts";
import { queriesRolesV1 } from "./queriesRolesV1.ts";
import { retrieveUserUuid } from "./RetrieveUserUUID.ts";
import { revokeUserRoleIds } from "./RevokeUserRoleIds.ts";
import { legacyUpdateUser } from "./UpdateUser.ts";

/** An envelope with the number of affected records. */
const affecting =
  <Id extends OperationId>(work: (call: Call<Id>) => Promise<number>) =>
  async (call: Call<Id>): Promise<Answer> => ({ kind: "envelope", affected: await work(call) });

/** The versions show different users: only the newer version includes external users. */
export const userManagementHandlers = {
  aggregateUsersV1: (call) => aggregateUsers(call, "internal"),
  aggregateUsersV2: (call) => aggregateUsers(call, call.query.user_type),
  combinedUserRolesV1: (call) => listGrants(call, 1),
  CombinedUserRolesV2: (call) => listGrants(call, 2),
  CombinedUserRolesV3: (call) => listGrants(call, 3),
  CreateUser: legacyCreateUser,
  createUserV1,
  DeleteUser: deleteUserV1,
  deleteUserV1,
  entitiesRolesGETV2: (call) => getRoles(call, call.body.ids),
  entitiesRolesV1: (call) => getRoles(call, call.query.ids),
  GetAvailableRoleIds: async ({ caller, context: { store }, now }) => ({
    kind: "ids",
    ids: (await rolesIn(platformRecords(store), store.directory, caller.cid, now)).ids,
  }),
  GetRoles: legacyGetRoles,
  getUserInvitationsGETV1: (call) =>
    getRecords(call, invitations, invitationNoun, eachOnce(call.body.ids)),
  GetUserRoleIds: getUserRoleIds,
  GrantUserRoleIds: grantUserRoleIds,
  queriesRolesV1,
  queryUserInvitationsV1: (call) =>
    listRecords(call, {
      resource: invitations,
      shape: "ids",
      records: "own",
      fields: fqlTables.invitations.fields,
    }),
  queryUserV1: (call) => listUsers(call, "internal", internalUserFields),
  queryUserV2: (call) => listUsers(call, call.query.user_type),
  RetrieveEmailsByCID: async (call) => ({
    kind: "envelope",
    resources: await internalUserUids(call),
  }),
  RetrieveUser: (call) => getUsers(call, call.query.ids, legacyText, { external: false }),
  retrieveUsersGETV1: (call) => getUsers(call, call.body.ids, userText, { external: false }),
  retrieveUsersGETV2: (call) => getUsers(call, call.body.ids, userText, { external: true }),
  RetrieveUserUUID: retrieveUserUuid,
  RetrieveUserUUIDsByCID: async (call) => ({ kind: "ids", ids: await internalUserIds(call) }),
  RevokeUserRoleIds: revokeUserRoleIds,
  UpdateUser: legacyUpdateUser,
  updateUserV1: async (call) => ({
    kind: "records",
    records: [userText(await renameUser(call, call.query.user_uuid, call.body))],
  }),
  userActionV1: affecting<"userActionV1">((call) =>
    resetUsers(call, call.body.action.action_name, call.body.ids),
  ),
  userAllowedActionsV1: async (call) => ({
    kind: "records",
    records: (await allowedActions(call, call.body.allowed_actions)).map((action) =>
      JSON.stringify(action),
    ),
  }),
  userRolesActionV1: affecting<"userRolesActionV1">((call) => changeGrantsOf(call, call.body)),
  userRolesActionV2: affecting<"userRolesActionV2">(changeAnyGrants),
} satisfies Partial<OperationHandlers>;
