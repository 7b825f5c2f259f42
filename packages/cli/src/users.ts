import {
  findUserByUid,
  systemClock,
  type Store,
  type Tenant,
} from "@security-platform/server/internal";
import { CommandError } from "./terminal/exit-codes.ts";
import { printable } from "./terminal/printable.ts";

/**
 * The user with this e-mail address that is known to the tenant: one of its own, or one with a role
 * in it.
 */
export async function findUser(
  store: Store,
  uid: string,
  { cid, name }: Tenant,
): Promise<{ readonly uuid: string; readonly uid: string }> {
  const user = await findUserByUid(store, uid, systemClock.now());
  if (user?.associated_cids.includes(cid) === true) return user;
  throw new CommandError(
    `--user: the user ${printable(uid)} is unknown to the tenant ${printable(name)}; ` +
      "create the user first, or grant it a role there",
  );
}
