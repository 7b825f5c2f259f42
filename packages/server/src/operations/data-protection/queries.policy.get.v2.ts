import { ofPlatform, policies } from "../../domain/data-protection/policies/policies.ts";
import type { Handler } from "../../handler.ts";
import { listIds } from "../../records/plain/read.ts";

export const queriesPolicyGetV2: Handler<"queries.policy.get.v2"> = (call) =>
  listIds(call, policies, ofPlatform(call.query.platform_name));
