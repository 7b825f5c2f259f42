import { newPolicies } from "../../domain/prevention-policy/create-policies.ts";
import { preventionPolicies } from "../../domain/prevention-policy/policies.ts";
import type { Handler } from "../../handler.ts";
import { auditEntry } from "../../records/audit.ts";

/** Creates all or none. */
export const createPreventionPolicies: Handler<"createPreventionPolicies"> = async (call) => {
  const { body, caller, context, now } = call;
  const authorship = { actor: caller.clientId, now };
  const texts = await context.store.write(caller.cid, async (transaction) => {
    const records = transaction.records(preventionPolicies);
    const created = await newPolicies(records, body.resources, caller.cid, authorship);
    const ids = created.map(({ id }) => id);
    await transaction.audit(auditEntry(call, undefined, ids));
    return records.insert(created, now);
  });
  return { kind: "records", records: texts };
};
