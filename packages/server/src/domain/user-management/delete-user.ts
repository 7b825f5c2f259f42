import type { Call } from "../../call.ts";
import { auditEntry } from "../../records/audit.ts";
import { platformCid, type Transaction } from "../../store/types.ts";
import { administratorsLost, keepAdministrators } from "./administrators.ts";
import { userGroups } from "../../access/groups.ts";
import { cancelInvitationsOf } from "./invite.ts";
import { takeOwnUser } from "./known-user.ts";
import { users } from "../../access/users.ts";

/** Deletes a user for good, with all grants and memberships; pending invitations are cancelled. */
export async function deleteUser(
  call: Pick<
    Call<"deleteUserV1" | "DeleteUser">,
    "operation" | "caller" | "context" | "now" | "traceId"
  >,
  uuid: string,
): Promise<void> {
  const { context, now } = call;
  await context.store.write(platformCid, async (transaction) => {
    const user = await takeOwnUser(call, transaction, uuid);
    await leaveGroups(transaction, uuid, now);
    await cancelInvitationsOf(call, transaction, user);
    await transaction.records(users).remove([uuid], now);
    await keepAdministrators(transaction, administratorsLost(user, undefined), now);
    await transaction.audit({ ...auditEntry(call, undefined, [uuid]), cid: user.cid });
  });
}

async function leaveGroups(transaction: Transaction, uuid: string, now: Date): Promise<void> {
  const records = transaction.records(userGroups);
  const joined = await records.takeMatching(
    { kind: "equal", field: "user_uuids", value: uuid, fold: false },
    now,
  );
  await records.replace(
    joined.map((group) => ({
      ...group,
      user_uuids: group.user_uuids.filter((member) => member !== uuid),
    })),
    now,
  );
}
