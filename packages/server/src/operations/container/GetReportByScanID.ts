import { answerReport } from "../../domain/container/reports/answer-report.ts";
import { scanNoun, scans } from "../../domain/container/scans/scans.ts";
import { errors } from "../../foundation/errors.ts";
import type { Handler } from "../../calls/handler.ts";

export const GetReportByScanID: Handler<"GetReportByScanID"> = async (call) => {
  const { caller, context, now, path, query } = call;
  const scansById = await context.store
    .records(scans, { cid: caller.cid })
    .getComplete([path.uuid], now);
  const scan = scansById.get(path.uuid);
  if (scan === undefined) throw errors.recordsNotFound(scanNoun, [path.uuid]);
  return answerReport(call, scan, query.report_format);
};
