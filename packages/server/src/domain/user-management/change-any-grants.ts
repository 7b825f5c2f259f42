import { foldCase } from "@security-platform/fql";
import type { Call, Caller } from "../../call.ts";
import { platformCid, type Transaction } from "../../store/types.ts";
import {
  changeGrants,
  readGrantChange,
  unknownRoles,
  unknownUserOrRoles,
  type GrantChange,
} from "./change-grants.ts";
import { invite, pendingInvitation, withdraw } from "./invite.ts";
import { knownUser } from "./known-user.ts";
import { settleWithin } from "./refresh-users.ts";
import { users, type StoredUser } from "../../access/users.ts";
import { viewerOf, type Viewer } from "./viewer.ts";

type AnyChangeCall = Pick<
  Call<"userRolesActionV2">,
  "operation" | "context" | "now" | "traceId" | "body"
> & { readonly caller: Caller };

/**
 * Grants or revokes, all or none, for any user of the platform; gives what changed: grants, or for a
 * user who must be asked first the invitation. 404 for unknown users and roles.
 */
export async function changeAnyGrants(call: AnyChangeCall): Promise<number> {
  const { context, now, body } = call;
  const { directory } = context.store;
  const change = await readGrantChange(call, body);
  const viewer = await viewerOf(directory, call.caller.cid);
  const tenant = (await directory.tenant(change.cid)) ?? { cid: change.cid, name: change.cid };
  return context.store.write(platformCid, async (transaction) => {
    await settleWithin(transaction, now);
    const user = await namedUser(call, transaction, change);
    const unknown = await unknownRoles(call, transaction, change);
    if (user === undefined) throw unknownUserOrRoles([body.uuid], unknown);
    if (unknown.length > 0) throw unknownUserOrRoles([], unknown);
    if (await isGrantedAtOnce(call, user, change, viewer)) {
      return changeGrants(call, transaction, user, change);
    }
    if (change.action === "revoke") return withdrawFrom(call, transaction, user, change);
    await invite(call, transaction, user, tenant, change);
    return 1;
  });
}

/**
 * Who has access already, whom the tenant knows, and who belongs to a tenant above or below it. Tenants
 * beside each other are different companies: their users are asked first.
 */
async function isGrantedAtOnce(
  call: AnyChangeCall,
  user: StoredUser,
  { cid }: GrantChange,
  viewer: Viewer,
): Promise<boolean> {
  if (user.assigned_cids.includes(cid)) return true;
  if ((await knownUser(call, user, { cid })) !== undefined) return true;
  return (await viewer.tenants()).has(user.cid);
}

/** By address any user of the platform; by id one that the tenant knows or has invited. */
async function namedUser(
  call: AnyChangeCall,
  transaction: Transaction,
  { cid }: GrantChange,
): Promise<StoredUser | undefined> {
  const { uuid: named } = call.body;
  const records = transaction.records(users);
  if (named.includes("@")) {
    const [uuid] = (await records.findDuplicates([foldCase(named)])).values();
    return uuid === undefined ? undefined : (await records.take([uuid])).get(uuid);
  }
  const user = (await records.take([named])).get(named);
  const known = await knownUser(call, user, { cid, external: true });
  if (known !== undefined) return known;
  return (await pendingInvitation(transaction, named, cid, call.now)) && user;
}

async function withdrawFrom(
  call: AnyChangeCall,
  transaction: Transaction,
  { uuid }: StoredUser,
  change: GrantChange,
): Promise<number> {
  const pending = await pendingInvitation(transaction, uuid, change.cid, call.now);
  return pending === undefined ? 0 : withdraw(call, transaction, pending, change);
}
