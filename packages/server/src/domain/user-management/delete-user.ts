import type { WritingCall } from "../../records/write.ts";
import { users } from "../../access/users.ts";
import { cancelInvitationsOf } from "./invite.ts";
import { takeManagedUser } from "./known-user.ts";
import { writeUsers } from "./write-users.ts";

/** Deletes a user permanently, with all grants and memberships; pending invitations are cancelled. */
export const deleteUser = (call: WritingCall, uuid: string): Promise<void> =>
  writeUsers(call, async (writing) => {
    const user = await takeManagedUser(call, writing.transaction, uuid);
    await cancelInvitationsOf(writing, user);
    await writing.records(users).remove([uuid], { cid: user.cid });
  });
