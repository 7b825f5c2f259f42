import { policyRuleNoun, policyRules } from "../../domain/identity-protection/policy-rules.ts";
import type { Handler } from "../../handler.ts";
import { auditEntry } from "../../records/audit.ts";
import { takeRecords } from "../../records/take.ts";

/** Deletes all or none. */
export const deletePolicyRules: Handler<"delete_policy_rules"> = async (call) => {
  const { query, caller, context, now } = call;
  await context.store.write(caller.cid, async (transaction) => {
    const records = transaction.records(policyRules);
    await takeRecords(records, policyRuleNoun, query.ids);
    await records.remove(query.ids, now);
    await transaction.audit(auditEntry(call, undefined, query.ids));
  });
  return { kind: "envelope", affected: query.ids.length };
};
