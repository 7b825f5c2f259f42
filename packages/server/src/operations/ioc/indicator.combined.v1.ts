import { listIndicators } from "../../domain/ioc/list.ts";
import type { Handler } from "../../handler.ts";

export const indicatorCombinedV1: Handler<"indicator.combined.v1"> = (call) =>
  listIndicators(call, "records");
