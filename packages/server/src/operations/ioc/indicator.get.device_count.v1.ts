import { executions } from "../../domain/ioc/executions.ts";
import { lookupCeiling, readLookup } from "../../domain/ioc/lookups.ts";
import type { Handler } from "../../calls/handler.ts";

/** Stops counting at the ceiling and sets `limit_exceeded`. */
export const indicatorGetDeviceCountV1: Handler<"indicator.get.device_count.v1"> = async (call) => {
  const { caller, context, now, query } = call;
  const { value, predicate } = readLookup(query);
  const count = await context.store
    .records(executions, { cid: caller.cid })
    .countDistinct("device_id", predicate, { now, ceiling: lookupCeiling + 1 });
  const record = {
    type: query.type,
    value,
    device_count: Math.min(count, lookupCeiling),
    limit_exceeded: count > lookupCeiling,
  };
  return { kind: "records", records: [JSON.stringify(record)] };
};
