import { clientScenarios } from "./scenarios/client-calls.ts";
import { companyScenarios } from "./scenarios/company.ts";
import { createScenarios } from "./scenarios/create-indicators.ts";
import { costScenarios } from "./scenarios/cost-curves.ts";
import { doubleScenarios } from "./scenarios/test-double.ts";
import { inPageScenarios } from "./scenarios/platform-in-page.ts";
import { filterScenarios } from "./scenarios/large-filters.ts";
import { memoryScenarios } from "./scenarios/memory.ts";
import { mixedScenarios } from "./scenarios/mixed-load.ts";
import { pageScenarios } from "./scenarios/pages.ts";
import { readScenarios } from "./scenarios/get-by-id.ts";
import { startScenarios } from "./scenarios/start.ts";
import { turnScenarios } from "./scenarios/loop-turns.ts";
import { typeScenarios } from "./scenarios/types.ts";
import { uploadScenarios } from "./scenarios/upload-file.ts";
import { workerScenarios } from "./scenarios/workers.ts";
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
  ...companyScenarios,
  ...mixedScenarios,
  ...uploadScenarios,
  ...clientScenarios,
  ...memoryScenarios,
  ...workerScenarios,
  ...turnScenarios,
  ...costScenarios,
];
