import type { Answer } from "../../calls/answer.ts";
import type { Call } from "../../calls/call.ts";
import { listRecords } from "../../records/list.ts";
import type { PageQuery } from "../../store/index.ts";
import { policyFields, preventionPolicies } from "./policies.ts";

/** A page of policies or of their ids. */
export const listPolicies = (
  call: Call<"queryCombinedPreventionPolicies" | "queryPreventionPolicies">,
  shape: PageQuery["shape"],
): Promise<Answer> =>
  listRecords(call, {
    resource: preventionPolicies,
    shape,
    records: "own",
    fields: policyFields,
  });
