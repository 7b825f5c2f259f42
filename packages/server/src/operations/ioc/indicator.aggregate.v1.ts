import { indicators } from "../../domain/ioc/indicators.ts";
import { selectedRecords } from "../../domain/ioc/inherited.ts";
import type { Handler } from "../../calls/handler.ts";
import { aggregateRecords } from "../../records/aggregate.ts";
import { filterReader } from "../../records/filters.ts";

/** One result for each specification, over the indicators that match the filter. */
export const indicatorAggregateV1: Handler<"indicator.aggregate.v1"> = async (call) => {
  const { body, query, caller, context, now } = call;
  const { fields } = indicators;
  const scope = { cid: caller.cid, records: selectedRecords(query.from_parent) };
  return aggregateRecords(body, {
    records: context.store.records(indicators, scope),
    fields,
    base: filterReader(fields).predicate(query.filter, now),
    now,
  });
};
