import { invalidUser, knownUser } from "../../domain/user-management/known-user.ts";
import { platformRecords } from "../../domain/user-management/effective-grants.ts";
import { settleExpired } from "../../domain/user-management/refresh-users.ts";
import { roleIds } from "../../domain/user-management/roles.ts";
import { users } from "../../domain/user-management/users.ts";
import { tenantMeant } from "../../domain/user-management/viewer.ts";
import type { Call, Handler } from "../../http/handler.ts";

/** The roles of a tenant, or those which a user can be given or has directly. */
export const queriesRolesV1: Handler<"queriesRolesV1"> = async (call) => {
  const { action, cid: asked, user_uuid: uuid } = call.query;
  const cid = await tenantMeant(call, asked, "query.cid");
  if (uuid === undefined) return { kind: "ids", ids: roleIds };
  const held = await heldDirectly(call, uuid, cid);
  const ids = roleIds.filter((id) => held.has(id) === (action === "revoke"));
  return { kind: "ids", ids };
};

async function heldDirectly(
  call: Call<"queriesRolesV1">,
  uuid: string,
  cid: string,
): Promise<ReadonlySet<string>> {
  const { context, now } = call;
  await settleExpired(context.store, now);
  const found = await platformRecords(context.store).records(users).whole([uuid], now);
  const user = await knownUser(call, found.get(uuid), { cid, external: true });
  if (user === undefined) throw invalidUser(uuid);
  return new Set(user.grants.filter((grant) => grant.cid === cid).map(({ role_id }) => role_id));
}
