import type { Context } from "../context.ts";
import type { Caller } from "../call.ts";
import { actorOf } from "./write.ts";
import type { AuditEntry } from "../store/types.ts";

/** What a write must know of its request. */
export interface WritingCall {
  readonly operation: { readonly id: string };
  readonly caller: Caller;
  readonly context: Context;
  readonly now: Date;
  readonly traceId: string;
}

/** What the audit trail keeps of a write: who, when, why, and the records it touched. */
export function auditEntry(
  { operation, caller, now, traceId }: Omit<WritingCall, "context">,
  comment: string | undefined,
  ids: readonly string[],
): AuditEntry {
  return {
    at: now,
    actor: actorOf(caller),
    client_id: caller.clientId,
    operation: operation.id,
    trace_id: traceId,
    comment: comment ?? null,
    ids,
  };
}
