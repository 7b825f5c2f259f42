import { registries, registryNoun } from "../../domain/container/registries/registries.ts";
import { getByIds, queryIds } from "../../records/plain/handlers.ts";
import { CreateRegistryEntities } from "./CreateRegistryEntities.ts";
import { DeleteImageDetails } from "./DeleteImageDetails.ts";
import { DownloadExportFile } from "./DownloadExportFile.ts";
import { DeleteRegistryEntities } from "./DeleteRegistryEntities.ts";
import { GetCredentials } from "./GetCredentials.ts";
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
import { UpdateRegistryEntities } from "./UpdateRegistryEntities.ts";

const kind = { resource: registries, noun: registryNoun };

export const containerHandlers = {
  CreateRegistryEntities,
  DeleteImageDetails,
  DownloadExportFile,
  DeleteRegistryEntities,
  GetCredentials,
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
  ReadRegistryEntities: queryIds(kind),
  ReadRegistryEntitiesByUUID: getByIds(kind),
  UpdateRegistryEntities,
};
