import { exclusionFields, exclusions } from "../../domain/ioa-exclusions/exclusions.ts";
import { hasExpressions } from "../../domain/ioa-exclusions/list.ts";
import type { Handler } from "../../calls/handler.ts";
import { aggregateRecords } from "../../records/aggregate.ts";

/** One result for each specification, over the exclusions that have the query's expressions. */
export const ssIoaExclusionsAggregatesV2: Handler<"ss-ioa-exclusions.aggregates.v2"> = (call) => {
  const { body, query, caller, context, now } = call;
  return aggregateRecords(body, {
    records: context.store.records(exclusions, { cid: caller.cid }),
    fields: exclusionFields,
    base: hasExpressions(query),
    now,
  });
};
