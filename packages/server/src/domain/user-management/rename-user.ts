import type { Call } from "../../call.ts";
import { auditEntry } from "../../records/audit.ts";
import { platformCid } from "../../store/types.ts";
import { takeOwnUser } from "./known-user.ts";
import { renamed, type Names } from "./new-user.ts";
import { users, type StoredUser } from "../../access/users.ts";

/** Changes the names of a user; what is not named stays. */
export async function renameUser(
  call: Pick<
    Call<"updateUserV1" | "UpdateUser">,
    "operation" | "caller" | "context" | "now" | "traceId"
  >,
  uuid: string,
  names: Names,
): Promise<StoredUser> {
  const { context, now } = call;
  return context.store.write(platformCid, async (transaction) => {
    const user = renamed(await takeOwnUser(call, transaction, uuid), names, now);
    await transaction.records(users).replace([user], now);
    await transaction.audit({ ...auditEntry(call, undefined, [uuid]), cid: user.cid });
    return user;
  });
}
