import { policyRules } from "../../domain/identity-protection/policy-rules.ts";
import type { Handler } from "../../calls/handler.ts";
import { deleteRecords } from "../../records/plain/write.ts";

/** Deletes all or none. */
export const deletePolicyRules: Handler<"delete_policy_rules"> = async (call) => {
  const deleted = await deleteRecords(call, policyRules, call.query.ids);
  return { kind: "envelope", affected: deleted.length };
};
