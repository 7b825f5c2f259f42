import { setPrecedence } from "../../domain/prevention-policy/precedence.ts";
import type { Handler } from "../../calls/handler.ts";
import { write } from "../../records/write.ts";

/** Returns the new order, which is the requested one. */
export const setPreventionPoliciesPrecedence: Handler<"setPreventionPoliciesPrecedence"> = async (
  call,
) => {
  const { ids, platform_name } = call.body;
  await write(call, (writing) => setPrecedence(writing, platform_name, ids));
  return { kind: "ids", ids };
};
