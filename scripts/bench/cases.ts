import { archiveCases } from "./cases-archive.ts";
import { connectionCases } from "./cases-connections.ts";
import { containerCases } from "./cases-container.ts";
import { createCases } from "./cases-create.ts";
import { filterCases } from "./cases-filters.ts";
import { identityCases } from "./cases-identity.ts";
import { ioaCases } from "./cases-ioa.ts";
import { jobCases } from "./cases-jobs.ts";
import { managementCases } from "./cases-management.ts";
import { matchCases } from "./cases-match.ts";
import { memoryCases } from "./cases-memory.ts";
import { pageCases } from "./cases-page.ts";
import { preventionCases } from "./cases-prevention.ts";
import { readCases } from "./cases-read.ts";
import { scanCases } from "./cases-scan.ts";
import { startCases } from "./cases-start.ts";
import { tenantCases } from "./cases-tenants.ts";
import { turnCases } from "./cases-turns.ts";
import { uploadCases } from "./cases-uploads.ts";
import { userCases } from "./cases-users.ts";
import { workerCases } from "./cases-workers.ts";
import type { Result } from "./measure.ts";

export interface BenchRun {
  /** A temporary folder of this run. */
  readonly folder: string;
  /** Share of the records to use: 1 for the real figures. */
  readonly scale: number;
  /** Duration of one measurement. */
  readonly seconds: number;
}

export interface BenchCase {
  readonly name: string;
  readonly run: (bench: BenchRun) => Promise<readonly Result[]>;
}

export const cases: readonly BenchCase[] = [
  ...startCases,
  ...readCases,
  ...pageCases,
  ...filterCases,
  ...createCases,
  ...connectionCases,
  ...managementCases,
  ...uploadCases,
  ...archiveCases,
  ...memoryCases,
  ...ioaCases,
  ...tenantCases,
  ...userCases,
  ...preventionCases,
  ...workerCases,
  ...jobCases,
  ...identityCases,
  ...scanCases,
  ...containerCases,
  ...matchCases,
  ...turnCases,
];
