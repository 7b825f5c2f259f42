import { setPrecedence } from "../../domain/prevention-policy/precedence.ts";
import type { Handler } from "../../handler.ts";
import { write } from "../../records/write.ts";

/** Answers with the requested order, which is now the order. */
export const setPreventionPoliciesPrecedence: Handler<"setPreventionPoliciesPrecedence"> = async (
  call,
) => {
  const { ids, platform_name } = call.body;
  await write(call, (writing) => setPrecedence(writing, platform_name, ids));
  return { kind: "ids", ids };
};
