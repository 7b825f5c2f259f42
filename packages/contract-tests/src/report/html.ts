import type { Report } from "./report.ts";
export const htmlReport = (report: Report): string => report.baseUrl;
