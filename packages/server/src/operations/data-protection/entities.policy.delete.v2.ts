import { deletePolicies } from "../../domain/data-protection/policies/delete-policies.ts";
import { writePolicies } from "../../domain/data-protection/policies/write.ts";
import type { Handler } from "../../calls/handler.ts";

/** Deletes all or none. */
export const entitiesPolicyDeleteV2: Handler<"entities.policy.delete.v2"> = (call) =>
  writePolicies(call, (writing) => {
    const { ids, platform_name } = call.query;
    return deletePolicies(writing, platform_name, [...new Set(ids)]);
  });
