import { listSeen, readLookup } from "../../domain/ioc/lookups.ts";
import type { Handler } from "../../handler.ts";

export const indicatorGetProcessesRanOnV1: Handler<"indicator.get.processes_ran_on.v1"> = (
  call,
) => {
  const { predicate } = readLookup(call.query);
  const device = {
    kind: "equal",
    field: "device_id",
    value: call.query.device_id,
    fold: false,
  } as const;
  return listSeen(call, "id", { kind: "and", operands: [predicate, device] }, call.query);
};
