import { where } from "@security-platform/fql";
import type { Store } from "../../../store/index.ts";
import { platformRecords } from "../../../access/effective-grants.ts";
import { users, type StoredUser } from "../../../access/users.ts";

export type FoundUser = Pick<StoredUser, "uuid" | "uid" | "cid" | "associated_cids">;

/** Finds the user with this uid in any tenant, ignoring case; for the command line. */
export async function findUserByUid(
  store: Store,
  uid: string,
  now: Date,
): Promise<FoundUser | undefined> {
  const records = platformRecords(store).records(users);
  for await (const [user] of records.scanComplete(where.equalFolded("uid", uid), now)) {
    if (user !== undefined) return user;
  }
  return undefined;
}
