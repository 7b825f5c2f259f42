import { indicatorNoun, indicators } from "../../domain/ioc/indicators.ts";
import type { Handler } from "../../handler.ts";
import { getRecords } from "../../records/get.ts";

/** Own and inherited indicators alike; an id that is given twice is answered once. */
export const indicatorGetV1: Handler<"indicator.get.v1"> = (call) =>
  getRecords(call, indicators, indicatorNoun, [...new Set(call.query.ids)], "both");
