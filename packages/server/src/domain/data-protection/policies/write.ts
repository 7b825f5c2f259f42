import type { Context } from "../../../context.ts";
import type { Answer } from "../../../answer.ts";
import type { Caller } from "../../../call.ts";
import { auditEntry } from "../../../records/audit.ts";
import type { Transaction } from "../../../store/types.ts";
import type { Authorship, Policy } from "./policies.ts";

/** What a write must know of its request. */
interface WritingCall {
  readonly operation: { readonly id: string };
  readonly caller: Caller;
  readonly context: Context;
  readonly now: Date;
  readonly traceId: string;
}

/** Does the work in one transaction, notes it in the audit trail, and answers with its policies. */
export async function writePolicies(
  call: WritingCall,
  work: (transaction: Transaction, authorship: Authorship) => Promise<readonly Policy[]>,
): Promise<Answer> {
  const { caller, context, now } = call;
  const written = await context.store.write(caller.cid, async (transaction) => {
    const found = await work(transaction, { actor: caller.clientId, now });
    const ids = found.map(({ id }) => id);
    await transaction.audit(auditEntry(call, undefined, ids));
    return found;
  });
  return { kind: "records", records: written.map((policy) => JSON.stringify(policy)) };
}
