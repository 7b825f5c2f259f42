import { where } from "@security-platform/fql";
import type { Answer } from "../../answer.ts";
import type { Awaitable } from "../../awaitable.ts";
import type { Caller } from "../../call.ts";
import type { Context } from "../../context.ts";
import { answerByIds } from "../../records/get.ts";
import type { Records, RecordText } from "../../store/index.ts";
import { indicatorNoun, indicators, type Indicator } from "./indicators.ts";

interface GetCall {
  readonly caller: Caller;
  readonly context: Context;
  readonly now: Date;
}

/**
 * Indicators in the order of `ids`: own and inherited ones, and deleted ones while filters still find them.
 * Throws a 404 that names the missing ids and includes the other indicators.
 */
export function getIndicators(call: GetCall, ids: readonly string[]): Awaitable<Answer> {
  const { caller, context, now } = call;
  const records = context.store.records(indicators, { cid: caller.cid, records: "both" });
  const [only] = ids;
  if (ids.length !== 1 || only === undefined) return getSeveral(records, ids, now);
  const answerOne = (text: RecordText | null): Awaitable<Answer> =>
    text === null ? getSeveral(records, ids, now) : { kind: "records", records: [text] };
  const found = records.one(only, now);
  return found instanceof Promise ? found.then(answerOne) : answerOne(found);
}

async function getSeveral(
  records: Records<Indicator>,
  ids: readonly string[],
  now: Date,
): Promise<Answer> {
  const live = await records.get(ids, now);
  const missing = ids.filter((id) => !live.has(id));
  if (missing.length === 0) return answerByIds(ids, live, indicatorNoun);
  const predicate = where.all(where.anyOf("id", missing), where.equal("deleted", true));
  const query = { predicate, sort: [], limit: missing.length, shape: "records", now } as const;
  const { items } = await records.page(query);
  const deleted = items.map((text) => [(JSON.parse(text) as Indicator).id, text] as const);
  return answerByIds(ids, new Map([...live, ...deleted]), indicatorNoun);
}
