import { foldCase } from "@security-platform/fql";
import type { Store } from "../../store/types.ts";
import { platformRecords } from "../../access/effective-grants.ts";
import { users, type StoredUser } from "../../access/users.ts";

export type FoundUser = Pick<StoredUser, "uuid" | "uid" | "cid" | "associated_cids">;

/** The user with this address, in any case, of whatever tenant; for those who run the platform. */
export async function findUserByUid(
  store: Store,
  uid: string,
  now: Date,
): Promise<FoundUser | undefined> {
  const predicate = { kind: "equal", field: "uid", value: foldCase(uid), fold: true } as const;
  for await (const [user] of platformRecords(store).records(users).scanWhole(predicate, now)) {
    if (user !== undefined) return user;
  }
  return undefined;
}
