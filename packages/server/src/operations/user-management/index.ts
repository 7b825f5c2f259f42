import { aggregateUsersV1 } from "./aggregateUsersV1.ts";
import { aggregateUsersV2 } from "./aggregateUsersV2.ts";
import { combinedUserRolesV1 } from "./combinedUserRolesV1.ts";
import { combinedUserRolesV2 } from "./CombinedUserRolesV2.ts";
import { combinedUserRolesV3 } from "./CombinedUserRolesV3.ts";
import { createUser } from "./CreateUser.ts";
import { createUserV1 } from "./createUserV1.ts";
import { deleteUser } from "./DeleteUser.ts";
import { deleteUserV1 } from "./deleteUserV1.ts";
import { entitiesRolesGETV2 } from "./entitiesRolesGETV2.ts";
import { entitiesRolesV1 } from "./entitiesRolesV1.ts";
import { getAvailableRoleIds } from "./GetAvailableRoleIds.ts";
import { getRoles } from "./GetRoles.ts";
import { getUserInvitationsGETV1 } from "./getUserInvitationsGETV1.ts";
import { getUserRoleIds } from "./GetUserRoleIds.ts";
import { grantUserRoleIds } from "./GrantUserRoleIds.ts";
import { queriesRolesV1 } from "./queriesRolesV1.ts";
import { queryUserInvitationsV1 } from "./queryUserInvitationsV1.ts";
import { queryUserV1 } from "./queryUserV1.ts";
import { queryUserV2 } from "./queryUserV2.ts";
import { retrieveEmailsByCid } from "./RetrieveEmailsByCID.ts";
import { retrieveUser } from "./RetrieveUser.ts";
import { retrieveUsersGETV1 } from "./retrieveUsersGETV1.ts";
import { retrieveUsersGETV2 } from "./retrieveUsersGETV2.ts";
import { retrieveUserUuid } from "./RetrieveUserUUID.ts";
import { retrieveUserUuidsByCid } from "./RetrieveUserUUIDsByCID.ts";
import { revokeUserRoleIds } from "./RevokeUserRoleIds.ts";
import { updateUser } from "./UpdateUser.ts";
import { updateUserV1 } from "./updateUserV1.ts";
import { userActionV1 } from "./userActionV1.ts";
import { userAllowedActionsV1 } from "./userAllowedActionsV1.ts";
import { userRolesActionV1 } from "./userRolesActionV1.ts";
import { userRolesActionV2 } from "./userRolesActionV2.ts";

export const userManagementHandlers = {
  aggregateUsersV1,
  aggregateUsersV2,
  combinedUserRolesV1,
  CombinedUserRolesV2: combinedUserRolesV2,
  CombinedUserRolesV3: combinedUserRolesV3,
  CreateUser: createUser,
  createUserV1,
  DeleteUser: deleteUser,
  deleteUserV1,
  entitiesRolesGETV2,
  entitiesRolesV1,
  GetAvailableRoleIds: getAvailableRoleIds,
  GetRoles: getRoles,
  getUserInvitationsGETV1,
  GetUserRoleIds: getUserRoleIds,
  GrantUserRoleIds: grantUserRoleIds,
  queriesRolesV1,
  queryUserInvitationsV1,
  queryUserV1,
  queryUserV2,
  RetrieveEmailsByCID: retrieveEmailsByCid,
  RetrieveUser: retrieveUser,
  retrieveUsersGETV1,
  retrieveUsersGETV2,
  RetrieveUserUUID: retrieveUserUuid,
  RetrieveUserUUIDsByCID: retrieveUserUuidsByCid,
  RevokeUserRoleIds: revokeUserRoleIds,
  UpdateUser: updateUser,
  updateUserV1,
  userActionV1,
  userAllowedActionsV1,
  userRolesActionV1,
  userRolesActionV2,
};
