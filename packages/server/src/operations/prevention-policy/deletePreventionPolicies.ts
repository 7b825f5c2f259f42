import { deletePolicies } from "../../domain/prevention-policy/delete-policies.ts";
import { preventionPolicies } from "../../domain/prevention-policy/policies.ts";
import type { Handler } from "../../handler.ts";
import { auditEntry } from "../../records/audit.ts";

/** Deletes all or none. */
export const deletePreventionPolicies: Handler<"deletePreventionPolicies"> = async (call) => {
  const { query, caller, context, now } = call;
  const ids = [...new Set(query.ids)];
  await context.store.write(caller.cid, async (transaction) => {
    await deletePolicies(transaction.records(preventionPolicies), ids, now);
    await transaction.audit(auditEntry(call, undefined, ids));
  });
  return { kind: "ids", ids };
};
