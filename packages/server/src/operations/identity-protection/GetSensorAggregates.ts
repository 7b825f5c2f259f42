import { sensors } from "../../domain/identity-protection/sensors.ts";
import type { Handler } from "../../calls/handler.ts";
import { aggregateRecords } from "../../records/aggregate.ts";

/** One result for each specification. */
export const getSensorAggregates: Handler<"GetSensorAggregates"> = ({
  body,
  caller,
  context,
  now,
}) => {
  const records = context.store.records(sensors, { cid: caller.cid });
  return aggregateRecords(body, { records, fields: sensors.fields, now });
};
