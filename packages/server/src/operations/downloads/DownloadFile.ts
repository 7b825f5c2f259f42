import { where } from "@security-platform/fql";
import { downloadInfo } from "../../domain/downloads/download-info.ts";
import {
  downloadNoun,
  downloadOrder,
  downloads,
  servedDownload,
} from "../../domain/downloads/downloads.ts";
import { errors } from "../../foundation/errors.ts";
import type { Handler } from "../../calls/handler.ts";

export const DownloadFile: Handler<"DownloadFile"> = async (call) => {
  const { caller, context, now, query } = call;
  const { file_name, file_version } = query;
  const page = await context.store.records(downloads, { cid: caller.cid }).page({
    predicate: where.all(
      where.equalFolded("file_name", file_name),
      where.equal("file_version", file_version),
    ),
    sort: downloadOrder([
      { field: "os", direction: "asc" },
      { field: "arch", direction: "asc" },
    ]),
    limit: 1,
    shape: "records",
    now,
  });
  const [text] = page.items;
  if (text === undefined) {
    throw errors.recordsNotFound(downloadNoun, [`${file_name} ${file_version}`]);
  }
  return { kind: "object", object: await downloadInfo(call, servedDownload(text)) };
};
