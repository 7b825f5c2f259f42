import { answerReport } from "../../domain/container/reports/answer-report.ts";
import { newestScan } from "../../domain/container/scans/find-scans.ts";
import type { Handler } from "../../calls/handler.ts";

export const GetReportByReference: Handler<"GetReportByReference"> = async (call) => {
  const { report_format, ...reference } = call.query;
  return answerReport(call, await newestScan(call, reference), report_format);
};
