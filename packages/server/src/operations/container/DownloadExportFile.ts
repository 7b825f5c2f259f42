import { openExport } from "../../domain/container/exports/find-exports.ts";
import type { Handler } from "../../calls/handler.ts";

export const DownloadExportFile: Handler<"DownloadExportFile"> = async (call) => ({
  kind: "file",
  file: await openExport(call, call.query.id),
});
