import {
  conditionProblems,
  mostPolicyRules,
  newPolicyRule,
  policyRules,
} from "../../domain/identity-protection/policy-rules.ts";
import { errors } from "../../errors.ts";
import type { Handler } from "../../handler.ts";
import { auditEntry } from "../../records/audit.ts";

/** Creates one rule. What its conditions name need not exist. */
export const postPolicyRules: Handler<"post_policy_rules"> = async (call) => {
  const { body, caller, context, now } = call;
  const problems = conditionProblems(body, "body");
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const rule = newPolicyRule(body);
  await context.store.write(caller.cid, async (transaction) => {
    const records = transaction.records(policyRules);
    if ((await records.count({ kind: "everything" }, now)) >= mostPolicyRules) {
      const message = `there are ${mostPolicyRules} policy rules already, as many as a tenant can have; delete some first`;
      throw errors.invalidRequest([{ at: "body", message }]);
    }
    await records.insert([rule], now);
    await transaction.audit(auditEntry(call, undefined, [rule.id]));
  });
  return { kind: "envelope", affected: 1, resources: [rule] };
};
