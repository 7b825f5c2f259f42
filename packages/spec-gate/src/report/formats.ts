import type { Format } from "../command-line.ts";
import { githubReport } from "./github.ts";
import { htmlReport } from "./html.ts";
import { jsonReport } from "./json.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import type { Report } from "./model.ts";
import { sarifReport } from "./sarif.ts";
import { textReport } from "./text.ts";

/** Every format of a report. */
export const reports: Readonly<Record<Format, (report: Report) => string>> = {
  text: textReport,
  markdown: markdownReport,
  html: htmlReport,
  json: jsonReport,
  sarif: sarifReport,
  junit: junitReport,
  github: githubReport,
};
