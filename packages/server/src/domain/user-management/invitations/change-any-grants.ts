import { foldCase } from "@security-platform/fql";
import type { Call } from "../../../calls/call.ts";
import type { WritingCall } from "../../../records/write.ts";
import type { Transaction } from "../../../store/index.ts";
import {
  changeGrants,
  readGrantChange,
  requireUserAndRoles,
  type GrantChange,
} from "../grants/change-grants.ts";
import { invite, pendingInvitation, withdraw } from "./invite.ts";
import { knownUser } from "../users/known-user.ts";
import { users, type StoredUser } from "../../../access/users.ts";
import { viewerOf, type Viewer } from "../../../access/viewer.ts";
import { writeUsers } from "../users/write-users.ts";

type AnyChangeCall = WritingCall & Pick<Call<"userRolesActionV2">, "body">;

/**
 * Grants or revokes, all or none, for any user of the platform. Users of other companies must first accept
 * an invitation. Returns the number of changed grants, or 1 for an invitation. 404 for unknown users and
 * roles.
 */
export async function changeAnyGrants(call: AnyChangeCall): Promise<number> {
  const { directory } = call.context.store;
  const { uuid } = call.body;
  const change = await readGrantChange(call, call.body);
  const viewer = await viewerOf(directory, call.caller.cid);
  const tenant = (await directory.tenant(change.cid)) ?? { cid: change.cid, name: change.cid };
  return writeUsers(call, async (writing) => {
    const { transaction, now } = writing;
    const stored = await findUser(call, transaction, change);
    const user = await requireUserAndRoles(call, transaction, stored, { uuid, ...change });
    if (await needsNoInvitation(call, user, change, viewer)) {
      return changeGrants(writing, user, change);
    }
    if (change.action === "grant") {
      await invite(writing, call.caller, user, tenant, change);
      return 1;
    }
    const pending = await pendingInvitation(transaction, user.uuid, change.cid, now);
    return pending === undefined ? 0 : withdraw(writing, pending, change);
  });
}

/**
 * Whether the user already has access, is known to the tenant, or belongs to a tenant above or below it.
 * All other tenants belong to other companies, whose users must accept an invitation.
 */
async function needsNoInvitation(
  call: AnyChangeCall,
  user: StoredUser,
  { cid }: GrantChange,
  viewer: Viewer,
): Promise<boolean> {
  if (user.assigned_cids.includes(cid)) return true;
  if ((await knownUser(call, user, { cid })) !== undefined) return true;
  return (await viewer.tenants()).has(user.cid);
}

/** Finds any user of the platform by uid; by uuid, a user that the tenant knows or has invited. */
async function findUser(
  call: AnyChangeCall,
  transaction: Transaction,
  { cid }: GrantChange,
): Promise<StoredUser | undefined> {
  const { uuid: uuidOrUid } = call.body;
  const records = transaction.records(users);
  if (uuidOrUid.includes("@")) {
    const [uuid] = (await records.findDuplicates([foldCase(uuidOrUid)])).values();
    return uuid === undefined ? undefined : (await records.getForUpdate([uuid])).get(uuid);
  }
  const user = (await records.getForUpdate([uuidOrUid])).get(uuidOrUid);
  const tenantUser = await knownUser(call, user, { cid, external: true });
  if (tenantUser !== undefined) return tenantUser;
  return (await pendingInvitation(transaction, uuidOrUid, cid, call.now)) && user;
}
