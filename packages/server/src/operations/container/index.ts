import { DeleteImageDetails } from "./DeleteImageDetails.ts";
import { GetImageAssessmentReport } from "./GetImageAssessmentReport.ts";
import { GetReportByReference } from "./GetReportByReference.ts";
import { GetReportByScanID } from "./GetReportByScanID.ts";
import { HeadImageScanInventory } from "./HeadImageScanInventory.ts";
import { ImageMatchesPolicy } from "./ImageMatchesPolicy.ts";
import { PolicyChecks } from "./PolicyChecks.ts";
import { PostImageScanInventory } from "./PostImageScanInventory.ts";
import { ReadImageVulnerabilities } from "./ReadImageVulnerabilities.ts";

export const containerHandlers = {
  DeleteImageDetails,
  GetImageAssessmentReport,
  GetReportByReference,
  GetReportByScanID,
  HeadImageScanInventory,
  ImageMatchesPolicy,
  PolicyChecks,
  PostImageScanInventory,
  ReadImageVulnerabilities,
};
