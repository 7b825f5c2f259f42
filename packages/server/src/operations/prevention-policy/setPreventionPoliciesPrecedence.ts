import { preventionPolicies } from "../../domain/prevention-policy/policies.ts";
import { setPrecedence } from "../../domain/prevention-policy/precedence.ts";
import type { Handler } from "../../handler.ts";
import { auditEntry } from "../../records/audit.ts";

/** Answers with the order asked, which is the order now. */
export const setPreventionPoliciesPrecedence: Handler<"setPreventionPoliciesPrecedence"> = async (
  call,
) => {
  const { body, caller, context, now } = call;
  const { ids, platform_name } = body;
  await context.store.write(caller.cid, async (transaction) => {
    await setPrecedence(transaction.records(preventionPolicies), platform_name, ids, now);
    await transaction.audit(auditEntry(call, undefined, ids));
  });
  return { kind: "ids", ids };
};
