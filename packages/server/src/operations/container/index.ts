import { DeleteImageDetails } from "./DeleteImageDetails.ts";
import { DownloadExportFile } from "./DownloadExportFile.ts";
import { GetImageAssessmentReport } from "./GetImageAssessmentReport.ts";
import { GetReportByReference } from "./GetReportByReference.ts";
import { GetReportByScanID } from "./GetReportByScanID.ts";
import { HeadImageScanInventory } from "./HeadImageScanInventory.ts";
import { ImageMatchesPolicy } from "./ImageMatchesPolicy.ts";
import { LaunchExportJob } from "./LaunchExportJob.ts";
import { PolicyChecks } from "./PolicyChecks.ts";
import { PostImageScanInventory } from "./PostImageScanInventory.ts";
import { QueryExportJobs } from "./QueryExportJobs.ts";
import { ReadExportJobs } from "./ReadExportJobs.ts";
import { ReadImageVulnerabilities } from "./ReadImageVulnerabilities.ts";

export const containerHandlers = {
  DeleteImageDetails,
  DownloadExportFile,
  GetImageAssessmentReport,
  GetReportByReference,
  GetReportByScanID,
  HeadImageScanInventory,
  ImageMatchesPolicy,
  LaunchExportJob,
  PolicyChecks,
  PostImageScanInventory,
  QueryExportJobs,
  ReadExportJobs,
  ReadImageVulnerabilities,
};
