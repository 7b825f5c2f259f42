import { write, type Writing, type WritingCall } from "../../records/write.ts";
import { platformCid } from "../../store/types.ts";
import { removeExpiredGrantsIn } from "./refresh-users.ts";

/**
 * A write to the platform's users, after expired grants were removed. Audit notes name the tenant whose
 * trail the change belongs to, unless that is the caller's.
 */
export const writeUsers = <Result>(
  call: WritingCall,
  work: (writing: Writing) => Promise<Result>,
): Promise<Result> =>
  write(
    call,
    async (writing) => {
      await removeExpiredGrantsIn(writing.transaction, writing.now);
      return work(writing);
    },
    platformCid,
  );
