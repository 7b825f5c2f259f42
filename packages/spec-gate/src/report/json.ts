import type { Report } from "./model.ts";

/** The report itself, as `report.schema.json` describes it. */
export const jsonReport = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;
