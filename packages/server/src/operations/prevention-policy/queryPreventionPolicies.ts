import { listPolicies } from "../../domain/prevention-policy/list.ts";
import type { Handler } from "../../calls/handler.ts";

export const queryPreventionPolicies: Handler<"queryPreventionPolicies"> = (call) =>
  listPolicies(call, "ids");
