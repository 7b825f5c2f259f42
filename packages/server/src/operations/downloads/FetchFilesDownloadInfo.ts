import { withAddresses } from "../../domain/downloads/download-info.ts";
import { downloadFields } from "../../domain/downloads/downloads.ts";
import { findDownloads } from "../../domain/downloads/find-downloads.ts";
import type { Handler } from "../../calls/handler.ts";
import { filterReader } from "../../records/filters.ts";

export const FetchFilesDownloadInfo: Handler<"FetchFilesDownloadInfo"> = async (call) => {
  const { filter, sort } = call.query;
  const reader = filterReader(downloadFields);
  const entries = await findDownloads(call, reader.predicate(filter, call.now), {
    sort: reader.sortKeys(sort),
    remedy: "narrow the filter, or page with FetchFilesDownloadInfoV2",
  });
  return { kind: "object", object: { files: await withAddresses(call, entries) } };
};
