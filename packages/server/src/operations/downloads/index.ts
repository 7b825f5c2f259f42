import { DownloadFile } from "./DownloadFile.ts";
import { EnumerateFile } from "./EnumerateFile.ts";
import { FetchFilesDownloadInfo } from "./FetchFilesDownloadInfo.ts";
import { FetchFilesDownloadInfoV2 } from "./FetchFilesDownloadInfoV2.ts";

export const downloadsHandlers = {
  DownloadFile,
  EnumerateFile,
  FetchFilesDownloadInfo,
  FetchFilesDownloadInfoV2,
};
