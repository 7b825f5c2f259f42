import { listIndicators } from "../../domain/ioc/list.ts";
import type { Handler } from "../../handler.ts";

export const indicatorSearchV1: Handler<"indicator.search.v1"> = (call) =>
  listIndicators(call, "ids");
