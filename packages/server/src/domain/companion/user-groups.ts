import { where } from "@security-platform/fql";
import { fqlTables } from "@security-platform/spec";
import {
  storedTenantGroup,
  tenantGroups,
  userGroups,
  type UserGroup,
} from "../../access/groups.ts";
import { users } from "../../access/users.ts";
import { viewerOf } from "../../access/viewer.ts";
import type { GroupKind } from "./group-kind.ts";

/** Groups of users who hold the same roles. The members are users known to the tenant. */
export const userGroupKind: GroupKind<UserGroup> = {
  resource: userGroups,
  fields: fqlTables["user-groups"].fields,
  noun: "user group",
  wire: { id: "user_group_id", members: "user_uuids" },
  largest: 500,
  members: ({ user_uuids }) => user_uuids,
  make: (parts) => ({ ...parts, user_uuids: [], role_ids: [] }),
  withMembers: (group, user_uuids) => ({ ...group, user_uuids }),
  unknownMembers: async ({ caller: { cid }, context }, { transaction }, members) => {
    const { family } = await viewerOf(context.store.directory, cid);
    const usersById = await transaction.records(users).getForUpdate([...members.keys()]);
    return [...members].flatMap(([uuid, at]) => {
      const user = usersById.get(uuid);
      const isKnown = user?.family === family || user?.associated_cids.includes(cid) === true;
      return isKnown ? [] : [{ at, id: uuid, message: `the tenant has no user ${uuid}` }];
    });
  },
  release: async (writing, groups) => {
    const ids = new Set(groups.map(({ id }) => id));
    const records = writing.records(tenantGroups);
    const naming = await records.stored.findForUpdate(
      where.anyOf("user_group_ids", [...ids]),
      writing.now,
    );
    await records.replace(
      naming.map((group) =>
        storedTenantGroup({
          ...group,
          grants: group.grants.filter(({ user_group_id }) => !ids.has(user_group_id)),
        }),
      ),
    );
  },
};
