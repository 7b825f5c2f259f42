import { listPolicies } from "../../domain/prevention-policy/list.ts";
import type { Handler } from "../../calls/handler.ts";

export const queryCombinedPreventionPolicies: Handler<"queryCombinedPreventionPolicies"> = (call) =>
  listPolicies(call, "records");
