import { performAction, readAction } from "../../domain/prevention-policy/actions.ts";
import type { Handler } from "../../calls/handler.ts";
import { write } from "../../records/write.ts";

/** Returns all requested policies, changed or not. */
export const performPreventionPoliciesAction: Handler<"performPreventionPoliciesAction"> = async (
  call,
) => {
  const action = readAction(call);
  const ids = [...new Set(call.body.ids)];
  const records = await write(call, (writing) => performAction(writing, ids, action));
  return { kind: "records", records };
};
