import { invalidUser, knownUser } from "../../domain/user-management/known-user.ts";
import { platformRecords } from "../../access/effective-grants.ts";
import { removeExpiredGrants } from "../../domain/user-management/refresh-users.ts";
import { rolesIn } from "../../access/tenant-roles.ts";
import { users } from "../../access/users.ts";
import { requestedCid } from "../../domain/user-management/viewer.ts";
import type { Call } from "../../call.ts";
import type { Handler } from "../../handler.ts";

/** The roles of a tenant, or those which a user can be given or has directly. */
export const queriesRolesV1: Handler<"queriesRolesV1"> = async (call) => {
  const { action, cid: asked, user_uuid: uuid } = call.query;
  const cid = await requestedCid(call, asked, "query.cid");
  const { store } = call.context;
  const roles = await rolesIn(platformRecords(store), store.directory, cid, call.now);
  if (uuid === undefined) return { kind: "ids", ids: roles.ids };
  const held = await heldDirectly(call, uuid, cid);
  const ids = roles.ids.filter((id) => held.has(id) === (action === "revoke"));
  return { kind: "ids", ids };
};

async function heldDirectly(
  call: Call<"queriesRolesV1">,
  uuid: string,
  cid: string,
): Promise<ReadonlySet<string>> {
  const { context, now } = call;
  await removeExpiredGrants(context.store, now);
  const found = await platformRecords(context.store).records(users).whole([uuid], now);
  const user = await knownUser(call, found.get(uuid), { cid, external: true });
  if (user === undefined) throw invalidUser(uuid);
  return new Set(user.grants.filter((grant) => grant.cid === cid).map(({ role_id }) => role_id));
}
