import { listSeen, readLookup } from "../../domain/ioc/lookups.ts";
import type { Handler } from "../../handler.ts";

export const indicatorGetDevicesRanOnV1: Handler<"indicator.get.devices_ran_on.v1"> = (call) =>
  listSeen(call, "device_id", readLookup(call.query).predicate, call.query);
