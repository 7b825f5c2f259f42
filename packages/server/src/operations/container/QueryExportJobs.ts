import { findExports } from "../../domain/container/exports/find-exports.ts";
import type { Handler } from "../../calls/handler.ts";

export const QueryExportJobs: Handler<"QueryExportJobs"> = async (call) => ({
  kind: "ids",
  ids: await findExports(call, call.query.filter),
});
