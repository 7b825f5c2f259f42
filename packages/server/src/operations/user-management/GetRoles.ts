import { platformRecords } from "../../access/effective-grants.ts";
import { rolesById, findRoles } from "../../access/tenant-roles.ts";
import type { Handler } from "../../calls/handler.ts";

/** Returns roles with only the members that deprecated operations show. */
export const getRoles: Handler<"GetRoles"> = async ({ query, caller, context, now }) => {
  const { store } = context;
  const roleQuery = { cid: caller.cid, role_ids: query.ids };
  const roles = await findRoles(platformRecords(store), store.directory, roleQuery, now);
  return rolesById(roles, query.ids, ({ id, display_name, description, cid }) => ({
    id,
    display_name,
    description,
    ...(cid === undefined ? {} : { cid }),
  }));
};
