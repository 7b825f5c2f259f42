import { readKnownUser } from "../../domain/user-management/grants/list-grants.ts";
import { platformRecords } from "../../access/effective-grants.ts";
import { rolesIn } from "../../access/tenant-roles.ts";
import { requestedCid } from "../../domain/user-management/tenants/managed-tenants.ts";
import type { Handler } from "../../calls/handler.ts";

/** The roles of a tenant; with `user_uuid` those that the user can be granted or holds directly. */
export const queriesRolesV1: Handler<"queriesRolesV1"> = async (call) => {
  const { action, cid: requested, user_uuid: uuid } = call.query;
  const cid = await requestedCid(call, requested, "query.cid");
  const { store } = call.context;
  const roles = await rolesIn(platformRecords(store), store.directory, cid, call.now);
  if (uuid === undefined) return { kind: "ids", ids: roles.ids };
  const user = await readKnownUser(call, uuid, { cid, external: true });
  const direct = user.grants.filter((grant) => grant.cid === cid);
  const held = new Set(direct.map(({ role_id }) => role_id));
  const ids = roles.ids.filter((id) => held.has(id) === (action === "revoke"));
  return { kind: "ids", ids };
};
