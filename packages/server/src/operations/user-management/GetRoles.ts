import { platformRecords } from "../../access/effective-grants.ts";
import { rolesById, rolesNamed } from "../../access/tenant-roles.ts";
import type { Handler } from "../../handler.ts";

/** Roles with the members that deprecated operations show. */
export const getRoles: Handler<"GetRoles"> = async ({ query, caller, context, now }) => {
  const { store } = context;
  const wanted = { cid: caller.cid, role_ids: query.ids };
  const roles = await rolesNamed(platformRecords(store), store.directory, wanted, now);
  return rolesById(roles, query.ids, ({ id, display_name, description, cid }) => ({
    id,
    display_name,
    description,
    ...(cid === undefined ? {} : { cid }),
  }));
};
