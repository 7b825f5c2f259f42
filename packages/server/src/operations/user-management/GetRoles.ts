import { rolesById } from "../../domain/user-management/roles.ts";
import type { Handler } from "../../http/handler.ts";

/** Roles without what deprecated operations do not know of them. */
export const getRoles: Handler<"GetRoles"> = async ({ query }) =>
  rolesById(query.ids, ({ id, display_name, description, cid }) => ({
    id,
    display_name,
    description,
    ...(cid === undefined ? {} : { cid }),
  }));
