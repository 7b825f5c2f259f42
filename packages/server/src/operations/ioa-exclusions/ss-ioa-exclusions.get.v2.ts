import { exclusionNoun, exclusions } from "../../domain/ioa-exclusions/exclusions.ts";
import type { Handler } from "../../calls/handler.ts";
import { eachOnce, getRecords } from "../../records/get.ts";

/** An id that the request repeats is returned once. */
export const ssIoaExclusionsGetV2: Handler<"ss-ioa-exclusions.get.v2"> = (call) =>
  getRecords(call, exclusions, exclusionNoun, eachOnce(call.query.ids));
