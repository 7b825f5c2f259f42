import { platformRecords } from "../../access/effective-grants.ts";
import { rolesById, rolesNamed } from "../../access/tenant-roles.ts";
import type { Handler } from "../../handler.ts";

/** Roles without what deprecated operations do not know of them. */
export const getRoles: Handler<"GetRoles"> = async ({ query, caller, context, now }) => {
  const { store } = context;
  const named = { cid: caller.cid, role_ids: query.ids };
  const roles = await rolesNamed(platformRecords(store), store.directory, named, now);
  return rolesById(roles, query.ids, ({ id, display_name, description, cid }) => ({
    id,
    display_name,
    description,
    ...(cid === undefined ? {} : { cid }),
  }));
};
