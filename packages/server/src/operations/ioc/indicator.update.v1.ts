import { auditEntry } from "../../records/audit.ts";
import { indicators, type Indicator } from "../../domain/ioc/indicators.ts";
import { refuseForeign } from "../../domain/ioc/missing.ts";
import { withRetrodetections } from "../../domain/ioc/retrodetects.ts";
import { bulkPredicate, requireBulk } from "../../domain/ioc/selection.ts";
import { inheritedIndicators, inheritedSelection } from "../../domain/ioc/sight.ts";
import {
  changeIndicators,
  requireDistinct,
  type Change,
} from "../../domain/ioc/update-indicators.ts";
import type { Call } from "../../call.ts";
import type { Handler } from "../../handler.ts";
import type { Transaction, WritableRecords } from "../../store/types.ts";

type UpdateCall = Call<"indicator.update.v1">;
type Body = UpdateCall["body"];

/** Changes the indicators of a list, each in its own way, or all that a filter selects alike. */
export const indicatorUpdateV1: Handler<"indicator.update.v1"> = (call) =>
  call.body.bulk_update === undefined
    ? updateListed(call, call.body.indicators ?? [])
    : updateSelected(call, call.body.bulk_update);

async function updateListed(
  call: UpdateCall,
  inputs: NonNullable<Body["indicators"]>,
): ReturnType<typeof indicatorUpdateV1> {
  const ids = inputs.map(({ id }) => id);
  requireDistinct(ids);
  const inherited = inputs.filter(({ from_parent }) => from_parent === true).map(({ id }) => id);
  if (inherited.length > 0) throw inheritedIndicators(inherited);
  const outcome = await call.context.store.write(call.caller.cid, async (transaction) => {
    const records = transaction.records(indicators);
    const stored = await records.take(ids);
    const missing = ids.filter((id) => !stored.has(id));
    if (missing.length > 0) return { missing };
    const wanted = inputs.flatMap(({ id, ...changes }, index) => {
      const indicator = stored.get(id);
      return indicator === undefined
        ? []
        : [{ indicator, changes, at: `body.indicators[${index}]` }];
    });
    return { texts: await writeChanges(call, transaction, records, wanted) };
  });
  if ("missing" in outcome) return refuseForeign(call, outcome.missing);
  return { kind: "records", records: outcome.texts };
}

async function updateSelected(
  call: UpdateCall,
  { filter, from_parent, ...changes }: NonNullable<Body["bulk_update"]>,
): ReturnType<typeof indicatorUpdateV1> {
  const { caller, context, now } = call;
  if (from_parent === true) throw inheritedSelection("body.bulk_update.from_parent");
  const predicate = bulkPredicate(filter, now);
  const texts = await context.store.write(caller.cid, async (transaction) => {
    const records = transaction.records(indicators);
    await requireBulk(records, predicate, now, "body.bulk_update.filter");
    const selected = await records.takeMatching(predicate, now);
    const wanted = selected.map((indicator) => ({ indicator, changes, at: "body.bulk_update" }));
    return writeChanges(call, transaction, records, wanted);
  });
  return { kind: "records", records: texts };
}

async function writeChanges(
  call: UpdateCall,
  transaction: Transaction,
  records: WritableRecords<Indicator>,
  wanted: readonly Change[],
) {
  if (wanted.length === 0) return [];
  const { body, query, caller, now } = call;
  const authorship = { actor: caller.clientId, now };
  const changed = changeIndicators(wanted, authorship, query.ignore_warnings ?? false);
  const looked =
    query.retrodetects === true ? await withRetrodetections(transaction, changed, now) : changed;
  const ids = looked.map(({ id }) => id);
  await transaction.audit(auditEntry(call, body.comment, ids));
  return records.replace(looked, now);
}
