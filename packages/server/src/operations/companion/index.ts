import { where } from "@security-platform/fql";
import { customerIdWithChecksum } from "../../domain/companion/customer-id.ts";
import { hostGroupKind } from "../../domain/companion/host-group-rules.ts";
import {
  listGroupMembers,
  listHostGroups,
  listHostIds,
  scrollHostIds,
} from "../../domain/companion/list-hosts.ts";
import { tenantGroupKind } from "../../domain/companion/tenant-groups.ts";
import { userGroupKind } from "../../domain/companion/user-groups.ts";
import type { OperationHandlers } from "../../calls/handler.ts";
import { hosts } from "../../inventory/hosts.ts";
import { eachOnce, getRecords } from "../../records/get.ts";
import { changeAll, createAll, getByIds } from "../../records/plain/handlers.ts";
import { deleteHostGroups } from "./deleteHostGroups.ts";
import { groupHandlers } from "./group-handlers.ts";
import { performGroupAction } from "./performGroupAction.ts";

const userGroups = groupHandlers(userGroupKind);
const tenantGroups = groupHandlers(tenantGroupKind);

/** Groups of users and of tenants differ only in their kind. */
export const companionHandlers = {
  GetSensorInstallersCCIDByQuery: ({ caller }) => ({
    kind: "ids",
    ids: [customerIdWithChecksum(caller.cid)],
  }),
  createHostGroups: createAll(hostGroupKind, "resources"),
  deleteHostGroups,
  getHostGroups: getByIds(hostGroupKind),
  performGroupAction,
  queryCombinedGroupMembers: (call) => listGroupMembers(call, "records"),
  queryCombinedHostGroups: (call) => listHostGroups(call, "records"),
  queryGroupMembers: (call) => listGroupMembers(call, "ids"),
  queryHostGroups: (call) => listHostGroups(call, "ids"),
  updateHostGroups: changeAll(hostGroupKind, "resources"),
  GetDeviceDetailsV2: (call) => getRecords(call, hosts, "host", eachOnce(call.query.ids)),
  PostDeviceDetailsV2: (call) => getRecords(call, hosts, "host", eachOnce(call.body.ids)),
  QueryDevicesByFilter: listHostIds,
  QueryDevicesByFilterScroll: scrollHostIds,

  addUserGroupMembers: userGroups.add,
  createUserGroups: userGroups.create,
  deleteUserGroupMembers: userGroups.remove,
  deleteUserGroups: ({ query, ...call }) => userGroups.delete(call, query.user_group_ids),
  getUserGroupMembersByID: ({ query, ...call }) => userGroups.members(call, query.user_group_ids),
  getUserGroupMembersByIDV2: ({ query, ...call }) => userGroups.members(call, query.ids),
  getUserGroupsByID: ({ query, ...call }) => userGroups.get(call, query.user_group_ids),
  getUserGroupsByIDV2: ({ query, ...call }) => userGroups.get(call, query.ids),
  queryUserGroupMembers: (call) =>
    userGroups.list(call, where.equal("user_uuids", call.query.user_uuid)),
  queryUserGroups: (call) => userGroups.list(call, named(call.query)),
  updateUserGroups: userGroups.update,

  addCIDGroupMembers: tenantGroups.add,
  createCIDGroups: tenantGroups.create,
  deleteCIDGroupMembers: tenantGroups.remove,
  deleteCIDGroupMembersV2: tenantGroups.remove,
  deleteCIDGroups: ({ query, ...call }) => tenantGroups.delete(call, query.cid_group_ids),
  getCIDGroupById: ({ query, ...call }) => tenantGroups.get(call, query.cid_group_ids),
  getCIDGroupByIdV2: ({ query, ...call }) => tenantGroups.get(call, query.ids),
  getCIDGroupMembersBy: ({ query, ...call }) => tenantGroups.members(call, query.cid_group_ids),
  getCIDGroupMembersByV2: ({ query, ...call }) => tenantGroups.members(call, query.ids),
  queryCIDGroupMembers: (call) => tenantGroups.list(call, where.equal("cids", call.query.cid)),
  queryCIDGroups: (call) => tenantGroups.list(call, named(call.query)),
  updateCIDGroups: tenantGroups.update,
} satisfies Partial<OperationHandlers>;

const named = ({ name }: { readonly name?: string }) =>
  name === undefined ? where.everything : where.equalFolded("name", name);
