import { deletePolicies } from "../../domain/prevention-policy/delete-policies.ts";
import type { Handler } from "../../calls/handler.ts";
import { write } from "../../records/write.ts";

/** Deletes all or none. */
export const deletePreventionPolicies: Handler<"deletePreventionPolicies"> = async (call) => {
  const ids = [...new Set(call.query.ids)];
  await write(call, (writing) => deletePolicies(writing, ids));
  return { kind: "ids", ids };
};
