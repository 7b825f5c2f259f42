import type { Answer } from "../../../calls/answer.ts";
import { write, type Writing, type WritingCall } from "../../../records/write.ts";
import type { Policy } from "./policies.ts";

/** Responds with the policies that `work` returns. */
export async function writePolicies(
  call: WritingCall,
  work: (writing: Writing) => Promise<readonly Policy[]>,
): Promise<Answer> {
  const written = await write(call, work);
  return { kind: "records", records: written.map((policy) => JSON.stringify(policy)) };
}
