import { findUserByUid, systemClock, type Store, type Tenant } from "@security-platform/server";
import { CommandError } from "./terminal/exit-codes.ts";
import { printable } from "./terminal/printable.ts";

/** The user with this address whom the tenant knows: one of its own, or one who holds a role in it. */
export async function findUser(
  store: Store,
  uid: string,
  { cid, name }: Tenant,
): Promise<{ readonly uuid: string; readonly uid: string }> {
  const user = await findUserByUid(store, uid, systemClock.now());
  if (user?.associated_cids.includes(cid) === true) return user;
  throw new CommandError(
    `--user: the tenant ${printable(name)} knows no user ${printable(uid)}; ` +
      "create the user first, or grant a role there",
  );
}
