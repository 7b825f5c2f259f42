import { createPolicies } from "../../domain/data-protection/policies/create-policies.ts";
import type { Handler } from "../../calls/handler.ts";
import { writePolicies } from "../../domain/data-protection/policies/write.ts";

/** Creates all policies or none. */
export const entitiesPolicyPostV2: Handler<"entities.policy.post.v2"> = (call) =>
  writePolicies(call, (writing) =>
    createPolicies(writing, call.query.platform_name, call.body.resources),
  );
