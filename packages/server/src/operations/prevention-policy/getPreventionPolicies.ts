import { policyNoun, preventionPolicies } from "../../domain/prevention-policy/policies.ts";
import type { Handler } from "../../calls/handler.ts";
import { eachOnce, getRecords } from "../../records/get.ts";

/** An id that the request repeats is returned once. */
export const getPreventionPolicies: Handler<"getPreventionPolicies"> = (call) =>
  getRecords(call, preventionPolicies, policyNoun, eachOnce(call.query.ids));
