import type { WritingCall } from "../../../records/write.ts";
import { users, type StoredUser } from "../../../access/users.ts";
import { takeManagedUser } from "./known-user.ts";
import { renamed, type Names } from "./new-user.ts";
import { writeUsers } from "./write-users.ts";

/** Changes the names of a user; absent names stay unchanged. */
export const renameUser = (call: WritingCall, uuid: string, names: Names): Promise<StoredUser> =>
  writeUsers(call, async (writing) => {
    const user = renamed(
      await takeManagedUser(call, writing.transaction, uuid),
      names,
      writing.now,
    );
    await writing.records(users).replace([user], { cid: user.cid });
    return user;
  });
