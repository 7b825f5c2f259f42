import { answerReport } from "../../domain/container/reports/answer-report.ts";
import { newestScan } from "../../domain/container/scans/find-scans.ts";
import type { Handler } from "../../calls/handler.ts";

export const GetImageAssessmentReport: Handler<"GetImageAssessmentReport"> = async (call) =>
  answerReport(call, await newestScan(call, call.query), "json");
