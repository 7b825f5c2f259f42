import { policyRules } from "../../domain/identity-protection/policy-rules.ts";
import type { Handler } from "../../calls/handler.ts";
import { createRecords } from "../../records/plain/write.ts";

/** Creates one rule. Its conditions may refer to objects that do not exist. */
export const postPolicyRules: Handler<"post_policy_rules"> = async (call) => {
  const texts = await createRecords(call, policyRules, [{ at: "body", input: call.body }]);
  const resources = texts.map((text): unknown => JSON.parse(text));
  return { kind: "envelope", affected: texts.length, resources };
};
