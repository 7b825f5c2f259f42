import { exclusionFields } from "../../domain/ioa-exclusions/exclusions.ts";
import { listExclusions } from "../../domain/ioa-exclusions/list.ts";
import type { Handler } from "../../calls/handler.ts";

export const ssIoaExclusionsSearchV2: Handler<"ss-ioa-exclusions.search.v2"> = (call) =>
  listExclusions(call, exclusionFields);
