import type { WritingCall } from "../../records/write.ts";
import { users } from "../../access/users.ts";
import { cancelInvitationsOf } from "./invitations/invite.ts";
import { takeManagedUser } from "./users/known-user.ts";
import { writeUsers } from "./users/write-users.ts";

/** Permanently deletes a user with all grants and memberships, and cancels pending invitations. */
export const deleteUser = (call: WritingCall, uuid: string): Promise<void> =>
  writeUsers(call, async (writing) => {
    const user = await takeManagedUser(call, writing.transaction, uuid);
    await cancelInvitationsOf(writing, user);
    await writing.records(users).remove([uuid], { cid: user.cid });
  });
