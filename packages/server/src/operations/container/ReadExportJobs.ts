import { exportJobs, exportNoun } from "../../domain/container/exports/export-jobs.ts";
import type { Handler } from "../../calls/handler.ts";
import { getRecords } from "../../records/get.ts";

export const ReadExportJobs: Handler<"ReadExportJobs"> = (call) =>
  getRecords(call, exportJobs, exportNoun, [...new Set(call.query.ids)]);
