import { launchExport } from "../../domain/container/exports/launch-export.ts";
import type { Handler } from "../../calls/handler.ts";

export const LaunchExportJob: Handler<"LaunchExportJob"> = async (call) => ({
  kind: "ids",
  ids: [await launchExport(call, call.body)],
});
