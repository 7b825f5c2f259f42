import { auditEntry } from "../../records/audit.ts";
import { indicators } from "../../domain/ioc/indicators.ts";
import { refuseForeign } from "../../domain/ioc/missing.ts";
import { bulkPredicate, requireBulk } from "../../domain/ioc/selection.ts";
import { inheritedSelection } from "../../domain/ioc/sight.ts";
import { errors } from "../../errors.ts";
import type { Call } from "../../call.ts";
import type { Handler } from "../../handler.ts";

type DeleteCall = Call<"indicator.delete.v1">;

/** Deletes what `filter` selects, or else what `ids` names; all or none. */
export const indicatorDeleteV1: Handler<"indicator.delete.v1"> = async (call) => {
  const { filter, ids, from_parent } = call.query;
  if (from_parent === true) throw inheritedSelection("query.from_parent");
  if (filter !== undefined) return { kind: "ids", ids: await deleteSelected(call, filter) };
  if (ids !== undefined) return { kind: "ids", ids: await deleteListed(call, [...new Set(ids)]) };
  throw errors.invalidRequest([{ at: "query.ids", message: "is required without filter" }]);
};

async function deleteSelected(call: DeleteCall, filter: string): Promise<readonly string[]> {
  const { caller, context, now, query } = call;
  const predicate = bulkPredicate(filter, now);
  return context.store.write(caller.cid, async (transaction) => {
    const records = transaction.records(indicators);
    await requireBulk(records, predicate, now, "query.filter");
    const selected = (await records.takeMatching(predicate, now)).map(({ id }) => id);
    if (selected.length === 0) return [];
    await transaction.audit(auditEntry(call, query.comment, selected));
    await records.remove(selected, now);
    return selected;
  });
}

async function deleteListed(call: DeleteCall, ids: readonly string[]): Promise<readonly string[]> {
  const { caller, context, query, now } = call;
  const missing = await context.store.write(caller.cid, async (transaction) => {
    const records = transaction.records(indicators);
    const stored = await records.take(ids);
    const unknown = ids.filter((id) => !stored.has(id));
    if (unknown.length > 0) return unknown;
    await transaction.audit(auditEntry(call, query.comment, ids));
    await records.remove(ids, now);
    return [];
  });
  return missing.length > 0 ? refuseForeign(call, missing) : ids;
}
