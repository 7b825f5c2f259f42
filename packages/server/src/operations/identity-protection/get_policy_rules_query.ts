import {
  maximumPolicyRules,
  policyRules,
  rulesMatching,
} from "../../domain/identity-protection/policy-rules.ts";
import type { Handler } from "../../calls/handler.ts";

/** Ids of all rules that meet the conditions of the query, oldest first, in one page. */
export const getPolicyRulesQuery: Handler<"get_policy_rules_query"> = async (call) => {
  const { query, caller, context, now } = call;
  const { items } = await context.store.records(policyRules.resource, { cid: caller.cid }).page({
    predicate: rulesMatching(query),
    sort: [],
    limit: maximumPolicyRules,
    shape: "ids",
    now,
  });
  return { kind: "envelope", resources: items };
};
