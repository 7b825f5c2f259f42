import { sensors } from "../../domain/identity-protection/sensors.ts";
import type { Handler } from "../../calls/handler.ts";
import { listRecords } from "../../records/list.ts";

export const querySensorsByFilter: Handler<"QuerySensorsByFilter"> = (call) =>
  listRecords(call, { resource: sensors, shape: "ids", records: "own" });
