import { policies } from "../../domain/data-protection/policies/policies.ts";
import type { Handler } from "../../handler.ts";
import { getById } from "../../records/plain/read.ts";

export const entitiesPolicyGetV2: Handler<"entities.policy.get.v2"> = (call) =>
  getById(call, policies);
