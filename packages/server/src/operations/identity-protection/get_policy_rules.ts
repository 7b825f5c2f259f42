import { policyRules } from "../../domain/identity-protection/policy-rules.ts";
import type { Handler } from "../../calls/handler.ts";
import { getRecords } from "../../records/get.ts";

export const getPolicyRules: Handler<"get_policy_rules"> = async (call) => {
  const { resource, noun } = policyRules;
  const { records } = await getRecords(call, resource, noun, call.query.ids);
  return { kind: "envelope", resources: records.map((text): unknown => JSON.parse(text)) };
};
