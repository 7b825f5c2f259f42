import { changePolicies } from "../../domain/data-protection/policies/change-policies.ts";
import { writePolicies } from "../../domain/data-protection/policies/write.ts";
import type { Handler } from "../../calls/handler.ts";

/** Changes all or none. Concurrent changes to one policy are applied one after the other. */
export const entitiesPolicyPatchV2: Handler<"entities.policy.patch.v2"> = (call) =>
  writePolicies(call, (writing) =>
    changePolicies(writing, call.query.platform_name, call.body.resources),
  );
