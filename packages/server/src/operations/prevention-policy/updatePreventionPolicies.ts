import { changedPolicies } from "../../domain/prevention-policy/change-policies.ts";
import { preventionPolicies } from "../../domain/prevention-policy/policies.ts";
import type { Handler } from "../../handler.ts";
import { auditEntry } from "../../records/audit.ts";

/** Changes all or none; of changes at once to one policy each builds on what the other left. */
export const updatePreventionPolicies: Handler<"updatePreventionPolicies"> = async (call) => {
  const { body, caller, context, now } = call;
  const authorship = { actor: caller.clientId, now };
  const texts = await context.store.write(caller.cid, async (transaction) => {
    const records = transaction.records(preventionPolicies);
    const changed = await changedPolicies(records, body.resources, authorship);
    const ids = changed.map(({ id }) => id);
    await transaction.audit(auditEntry(call, undefined, ids));
    return records.replace(changed, now);
  });
  return { kind: "records", records: texts };
};
