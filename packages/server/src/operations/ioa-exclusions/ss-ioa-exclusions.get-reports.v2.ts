import { exclusions } from "../../domain/ioa-exclusions/exclusions.ts";
import { exclusionsReport } from "../../domain/ioa-exclusions/report.ts";
import type { Handler } from "../../calls/handler.ts";

export const ssIoaExclusionsGetReportsV2: Handler<"ss-ioa-exclusions.get-reports.v2"> = async ({
  body,
  caller,
  context,
  now,
}) => {
  const records = context.store.records(exclusions, { cid: caller.cid });
  return { kind: "envelope", resources: [await exclusionsReport(records, body, now)] };
};
