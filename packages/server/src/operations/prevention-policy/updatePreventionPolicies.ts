import { changedPolicies } from "../../domain/prevention-policy/change-policies.ts";
import { preventionPolicies } from "../../domain/prevention-policy/policies.ts";
import type { Handler } from "../../calls/handler.ts";
import { write } from "../../records/write.ts";

/** Changes all or none. Concurrent changes to one policy are applied one after the other. */
export const updatePreventionPolicies: Handler<"updatePreventionPolicies"> = async (call) => {
  const records = await write(call, async (writing) => {
    const policies = writing.records(preventionPolicies);
    return policies.replace(await changedPolicies(policies, call.body.resources, writing.author));
  });
  return { kind: "records", records };
};
