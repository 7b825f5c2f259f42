import { performAction, readAction } from "../../domain/prevention-policy/actions.ts";
import { preventionPolicies } from "../../domain/prevention-policy/policies.ts";
import type { Handler } from "../../handler.ts";
import { auditEntry } from "../../records/audit.ts";

/** Answers with every policy named, changed or not. */
export const performPreventionPoliciesAction: Handler<"performPreventionPoliciesAction"> = async (
  call,
) => {
  const { body, caller, context, now } = call;
  const action = readAction(call);
  const ids = [...new Set(body.ids)];
  const authorship = { actor: caller.clientId, now };
  const texts = await context.store.write(caller.cid, async (transaction) => {
    const changed = await performAction(transaction, ids, action, authorship);
    if (changed.length > 0) {
      const entry = auditEntry(
        call,
        action.name,
        changed.map(({ id }) => id),
      );
      await transaction.audit(entry);
    }
    return transaction.records(preventionPolicies).get(ids, now);
  });
  return { kind: "records", records: ids.flatMap((id) => texts.get(id) ?? []) };
};
