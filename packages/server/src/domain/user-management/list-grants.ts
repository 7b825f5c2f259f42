import { fqlTables, type components } from "@security-platform/spec";
import type { Answer } from "../../answer.ts";
import type { Call } from "../../call.ts";
import { pageOf, selectInMemory } from "../../records/list-in-memory.ts";
import {
  effectiveGrants,
  groupsOf,
  platformRecords,
  type EffectiveGrant,
} from "../../access/effective-grants.ts";
import { invalidUser, knownUser } from "./known-user.ts";
import { removeExpiredGrants } from "./refresh-users.ts";
import { rolesNamed } from "../../access/tenant-roles.ts";
import { users, type StoredUser } from "../../access/users.ts";
import { typeOf, viewerOf } from "../../access/viewer.ts";
import { requestedCid } from "./viewer.ts";

type Asking = Pick<Call<"CombinedUserRolesV3">, "caller" | "context" | "now">;
type GrantCall = Asking & Pick<Call<"CombinedUserRolesV3">, "query">;
type GrantV2 = components["schemas"]["GrantV2"];

/** A page of what a user holds in a tenant. `version`: of the operation that lists it. */
export async function listGrants(call: GrantCall, version: 1 | 2 | 3): Promise<Answer> {
  const { caller, context, now, query } = call;
  const cid = await requestedCid(call, query.cid, "query.cid");
  const { user, grants } = await grantsIn(call, query.user_uuid, cid, version === 3);
  const wanted =
    query.direct_only === true
      ? grants.filter(({ grant_type }) => grant_type === "direct")
      : grants;
  const selected = selectInMemory(wanted, query, fqlTables.grants.fields, now);
  const { items, page } = pageOf(selected, query);
  const user_type = typeOf(user, await viewerOf(context.store.directory, caller.cid));
  const records = items.map((grant) =>
    JSON.stringify(
      version === 1 ? withoutExpiry(grant) : ({ ...grant, user_type } satisfies GrantV2),
    ),
  );
  return { kind: "records", records, page };
}

/** What a user whom the tenant knows holds in the tenant `cid`; 400 for any other user. */
export async function grantsIn(
  call: Asking,
  uuid: string,
  cid: string,
  external: boolean,
): Promise<{ readonly user: StoredUser; readonly grants: readonly EffectiveGrant[] }> {
  const { context, now } = call;
  await removeExpiredGrants(context.store, now);
  const reader = platformRecords(context.store);
  const stored = (await reader.records(users).whole([uuid], now)).get(uuid);
  const user = await knownUser(call, stored, { cid, external });
  if (user === undefined) throw invalidUser(uuid);
  const all = effectiveGrants(user, await groupsOf(reader, [uuid], now), now);
  const grants = all.filter((grant) => grant.cid === cid);
  const role_ids = grants.map(({ role_id }) => role_id);
  const roles = await rolesNamed(reader, context.store.directory, { cid, role_ids }, now);
  const named = grants.map((grant) => ({
    ...grant,
    role_name: roles.definition(grant.role_id)?.role.display_name ?? grant.role_name,
  }));
  return { user, grants: named };
}

const withoutExpiry = ({ expires_at: _expires, ...grant }: EffectiveGrant) => grant;
