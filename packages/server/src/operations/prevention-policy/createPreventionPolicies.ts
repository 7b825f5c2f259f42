import { newPolicies } from "../../domain/prevention-policy/create-policies.ts";
import { preventionPolicies } from "../../domain/prevention-policy/policies.ts";
import type { Handler } from "../../calls/handler.ts";
import { write } from "../../records/write.ts";

/** Creates all or none. */
export const createPreventionPolicies: Handler<"createPreventionPolicies"> = async (call) => {
  const records = await write(call, async (writing) => {
    const policies = writing.records(preventionPolicies);
    return policies.insert(await newPolicies(policies, call.body.resources, writing.author));
  });
  return { kind: "records", records };
};
