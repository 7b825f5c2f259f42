import { answerCalls } from "../../../threads/answer-calls.ts";
import { workOnReport } from "./report-work.ts";
import type { ReportRequest } from "./threaded-reports.ts";

answerCalls(
  ({ parts, work }: ReportRequest) => {
    const decoder = new TextDecoder();
    const texts = parts.map((part) => decoder.decode(part, { stream: true }));
    return workOnReport(texts.join("") + decoder.decode(), work);
  },
  ({ buffer }) => [buffer],
);
