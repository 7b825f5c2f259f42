import { auditEntry } from "../../records/audit.ts";
import { admitCandidates, readCandidates } from "../../domain/ioc/create-indicators.ts";
import { indicators } from "../../domain/ioc/indicators.ts";
import { withRetrodetections } from "../../domain/ioc/retrodetects.ts";
import type { Handler } from "../../handler.ts";

/** Creates all or none. With `ignore_warnings` duplicates are skipped: the answer lacks them. */
export const indicatorCreateV1: Handler<"indicator.create.v1"> = async (call) => {
  const { body, query, caller, context, now } = call;
  const candidates = readCandidates(body.indicators, { actor: caller.clientId, now });
  const texts = await context.store.write(caller.cid, async (transaction) => {
    const records = transaction.records(indicators);
    const admitted = await admitCandidates(records, candidates, {
      now,
      ignoreWarnings: query.ignore_warnings ?? false,
    });
    if (admitted.length === 0) return [];
    const created =
      query.retrodetects === true
        ? await withRetrodetections(transaction, admitted, now)
        : admitted;
    const ids = created.map(({ id }) => id);
    await transaction.audit(auditEntry(call, body.comment, ids));
    return records.insert(created, now);
  });
  return { kind: "records", records: texts };
};
