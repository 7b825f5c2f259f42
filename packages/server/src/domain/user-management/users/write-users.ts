import { write, type Writing, type WritingCall } from "../../../records/write.ts";
import { platformCid } from "../../../store/index.ts";
import { removeExpiredGrantsIn } from "./refresh-users.ts";

/**
 * Removes expired grants, then writes users of the platform. An audit note names the tenant of the audit
 * trail, if it is not the caller's.
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
