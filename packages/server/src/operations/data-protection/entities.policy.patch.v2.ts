import { changePolicies } from "../../domain/data-protection/policies/change-policies.ts";
import { writePolicies } from "../../domain/data-protection/policies/write.ts";
import type { Handler } from "../../handler.ts";

/** Changes all or none; of changes at once to one policy each builds on what the other left. */
export const entitiesPolicyPatchV2: Handler<"entities.policy.patch.v2"> = (call) =>
  writePolicies(call, (transaction, authorship) =>
    changePolicies(transaction, call.query.platform_name, call.body.resources, authorship),
  );
