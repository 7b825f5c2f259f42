import { aggregate, AggregateError } from "../../domain/aggregates/index.ts";
import { exclusionFields, exclusions } from "../../domain/ioa-exclusions/exclusions.ts";
import { havingExpressions } from "../../domain/ioa-exclusions/list.ts";
import { errors } from "../../errors.ts";
import type { Handler } from "../../http/handler.ts";

/** One result for each specification, over the exclusions that have the query's expressions. */
export const ssIoaExclusionsAggregatesV2: Handler<"ss-ioa-exclusions.aggregates.v2"> = async (
  call,
) => {
  const { body, query, caller, context, now } = call;
  const results = await aggregate(body, {
    records: context.store.records(exclusions, { cid: caller.cid }),
    fields: exclusionFields,
    base: havingExpressions(query),
    now,
  }).catch((error: unknown) => {
    throw error instanceof AggregateError ? errors.invalidRequest(error.problems) : error;
  });
  return { kind: "records", records: results.map((result) => JSON.stringify(result)) };
};
