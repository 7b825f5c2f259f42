import { withAddresses } from "../../domain/downloads/download-info.ts";
import {
  downloadFields,
  downloadOrder,
  downloads,
  downloadWindow,
  servedDownload,
} from "../../domain/downloads/downloads.ts";
import type { Handler } from "../../calls/handler.ts";
import { listPage } from "../../records/list.ts";

export const FetchFilesDownloadInfoV2: Handler<"FetchFilesDownloadInfoV2"> = async (call) => {
  const { items, page } = await listPage(call, {
    resource: downloads,
    shape: "records",
    records: "own",
    fields: downloadFields,
    order: downloadOrder,
    window: downloadWindow,
    beyondWindow: "narrow the filter instead",
  });
  const files = await withAddresses(call, items.map(servedDownload));
  return { kind: "records", records: files.map((file) => JSON.stringify(file)), page };
};
