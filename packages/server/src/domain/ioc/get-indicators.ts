import { where } from "@security-platform/fql";
import type { Answer } from "../../calls/answer.ts";
import type { Caller } from "../../calls/call.ts";
import type { Context } from "../../calls/context.ts";
import { answerByIds } from "../../records/get.ts";
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
export async function getIndicators(call: GetCall, ids: readonly string[]): Promise<Answer> {
  const { caller, context, now } = call;
  const records = context.store.records(indicators, { cid: caller.cid, records: "both" });
  const live = await records.get(ids, now);
  const missing = ids.filter((id) => !live.has(id));
  if (missing.length === 0) return answerByIds(ids, live, indicatorNoun);
  const predicate = where.all(where.anyOf("id", missing), where.equal("deleted", true));
  const query = { predicate, sort: [], limit: missing.length, shape: "records", now } as const;
  const { items } = await records.page(query);
  const deleted = items.map((text) => [(JSON.parse(text) as Indicator).id, text] as const);
  return answerByIds(ids, new Map([...live, ...deleted]), indicatorNoun);
}
