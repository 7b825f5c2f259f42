import { fqlTables, type components } from "@security-platform/spec";
import type { Answer } from "../../../calls/answer.ts";
import type { Call } from "../../../calls/call.ts";
import { pageOf, selectInMemory } from "../../../records/list-in-memory.ts";
import {
  effectiveGrants,
  groupsOf,
  platformRecords,
  type EffectiveGrant,
} from "../../../access/effective-grants.ts";
import { invalidUser, knownUser } from "../users/known-user.ts";
import { removeExpiredGrants } from "../users/refresh-users.ts";
import { findRoles } from "../../../access/tenant-roles.ts";
import { users, type StoredUser } from "../../../access/users.ts";
import { typeOf, viewerOf } from "../../../access/viewer.ts";
import { requestedCid } from "../tenants/managed-tenants.ts";

type ReadingCall = Pick<Call<"CombinedUserRolesV3">, "caller" | "context" | "now">;
type GrantCall = ReadingCall & Pick<Call<"CombinedUserRolesV3">, "query">;
type GrantV2 = components["schemas"]["GrantV2"];

/** A page of the roles that a user holds in a tenant. `version`: the version of the operation. */
export async function listGrants(call: GrantCall, version: 1 | 2 | 3): Promise<Answer> {
  const { caller, context, now, query } = call;
  const cid = await requestedCid(call, query.cid, "query.cid");
  const external = version === 3;
  const { user, grants } = await grantsIn(call, query.user_uuid, { cid, external });
  const listed =
    query.direct_only === true
      ? grants.filter(({ grant_type }) => grant_type === "direct")
      : grants;
  const selected = selectInMemory(listed, query, fqlTables.grants.fields, now);
  const { items, page } = pageOf(selected, query);
  const user_type = typeOf(user, await viewerOf(context.store.directory, caller.cid));
  const records = items.map((grant) =>
    JSON.stringify(
      version === 1 ? withoutExpiry(grant) : ({ ...grant, user_type } satisfies GrantV2),
    ),
  );
  return { kind: "records", records, page };
}

interface Known {
  readonly cid: string;
  /** Whether external users count as known. */
  readonly external: boolean;
}

/** A user whom the tenant knows, without expired grants; 400 for all other users. */
export async function readKnownUser(
  call: ReadingCall,
  uuid: string,
  known: Known,
): Promise<StoredUser> {
  const { store } = call.context;
  await removeExpiredGrants(store, call.now);
  const stored = await platformRecords(store).records(users).getComplete([uuid], call.now);
  const user = await knownUser(call, stored.get(uuid), known);
  if (user === undefined) throw invalidUser(uuid);
  return user;
}

/** The roles of a user in the tenant `cid`, which must know the user; 400 for all other users. */
export async function grantsIn(
  call: ReadingCall,
  uuid: string,
  known: Known,
): Promise<{ readonly user: StoredUser; readonly grants: readonly EffectiveGrant[] }> {
  const { now } = call;
  const { store } = call.context;
  const { cid } = known;
  const user = await readKnownUser(call, uuid, known);
  const reader = platformRecords(store);
  const all = effectiveGrants(user, await groupsOf(reader, [uuid], now), now);
  const grants = all.filter((grant) => grant.cid === cid);
  const role_ids = grants.map(({ role_id }) => role_id);
  const roles = await findRoles(reader, store.directory, { cid, role_ids }, now);
  const withNames = grants.map((grant) => ({
    ...grant,
    role_name: roles.definition(grant.role_id)?.role.display_name ?? grant.role_name,
  }));
  return { user, grants: withNames };
}

const withoutExpiry = ({ expires_at: _expires, ...grant }: EffectiveGrant) => grant;
