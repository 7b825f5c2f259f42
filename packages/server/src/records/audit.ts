import type { Caller } from "../http/handler.ts";
import type { AuditEntry } from "../store/types.ts";

interface WritingCall {
  readonly operation: { readonly id: string };
  readonly caller: Caller;
  readonly now: Date;
  readonly traceId: string;
}

/** What the audit trail keeps of a write: who, when, why, and the records it touched. */
export function auditEntry(
  { operation, caller, now, traceId }: WritingCall,
  comment: string | undefined,
  ids: readonly string[],
): AuditEntry {
  return {
    at: now,
    actor: caller.clientId,
    operation: operation.id,
    trace_id: traceId,
    comment: comment ?? null,
    ids,
  };
}
