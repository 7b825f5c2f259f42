import { sensorNoun, sensors } from "../../domain/identity-protection/sensors.ts";
import type { Handler } from "../../calls/handler.ts";
import { eachOnce, getRecords } from "../../records/get.ts";

/** An id that the request repeats is returned once. */
export const getSensorDetails: Handler<"GetSensorDetails"> = (call) =>
  getRecords(call, sensors, sensorNoun, eachOnce(call.body.ids));
