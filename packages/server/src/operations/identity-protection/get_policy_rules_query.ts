import {
  mostPolicyRules,
  policyRules,
  rulesLike,
} from "../../domain/identity-protection/policy-rules.ts";
import type { Handler } from "../../handler.ts";

/** Ids of all rules with the given values, the oldest first, without pages. */
export const getPolicyRulesQuery: Handler<"get_policy_rules_query"> = async (call) => {
  const { query, caller, context, now } = call;
  const { items } = await context.store.records(policyRules, { cid: caller.cid }).page({
    predicate: rulesLike(query),
    sort: [],
    limit: mostPolicyRules,
    shape: "ids",
    now,
  });
  return { kind: "envelope", resources: items };
};
