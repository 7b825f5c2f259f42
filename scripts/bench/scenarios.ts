import { archiveScenarios } from "./scenarios/bulk-download.ts";
import { clientScenarios } from "./scenarios/client-calls.ts";
import { companyScenarios } from "./scenarios/company.ts";
import { connectionScenarios } from "./scenarios/connections.ts";
import { containerScenarios } from "./scenarios/export-vulnerabilities.ts";
import { createScenarios } from "./scenarios/create-indicators.ts";
import { doubleScenarios } from "./scenarios/test-double.ts";
import { inPageScenarios } from "./scenarios/platform-in-page.ts";
import { filterScenarios } from "./scenarios/large-filters.ts";
import { identityScenarios } from "./scenarios/identity-queries.ts";
import { ioaScenarios } from "./scenarios/match-process.ts";
import { jobScenarios } from "./scenarios/jobs.ts";
import { managementScenarios } from "./scenarios/search-cases.ts";
import { matchScenarios } from "./scenarios/match-image.ts";
import { memoryScenarios } from "./scenarios/memory.ts";
import { pageScenarios } from "./scenarios/pages.ts";
import { preventionScenarios } from "./scenarios/policy-members.ts";
import { readScenarios } from "./scenarios/get-by-id.ts";
import { scanScenarios } from "./scenarios/scan-image.ts";
import { startScenarios } from "./scenarios/start.ts";
import { tenantScenarios } from "./scenarios/new-tenant.ts";
import { transferScenarios } from "./scenarios/transfer-files.ts";
import { turnScenarios } from "./scenarios/loop-turns.ts";
import { typeScenarios } from "./scenarios/types.ts";
import { uploadScenarios } from "./scenarios/upload-file.ts";
import { userScenarios } from "./scenarios/user-grants.ts";
import { workerScenarios } from "./scenarios/workers.ts";
import { inventoryScenarios } from "./scenarios/large-inventories.ts";
import type { Scenario } from "./scenario.ts";

export const scenarios: readonly Scenario[] = [
  ...startScenarios,
  ...doubleScenarios,
  ...inPageScenarios,
  ...typeScenarios,
  ...readScenarios,
  ...pageScenarios,
  ...filterScenarios,
  ...createScenarios,
  ...connectionScenarios,
  ...companyScenarios,
  ...managementScenarios,
  ...uploadScenarios,
  ...transferScenarios,
  ...clientScenarios,
  ...archiveScenarios,
  ...memoryScenarios,
  ...ioaScenarios,
  ...tenantScenarios,
  ...userScenarios,
  ...preventionScenarios,
  ...workerScenarios,
  ...jobScenarios,
  ...identityScenarios,
  ...scanScenarios,
  ...containerScenarios,
  ...matchScenarios,
  ...turnScenarios,
  ...inventoryScenarios,
];
