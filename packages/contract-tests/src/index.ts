export { platformContract, type Contract, type Operation, type Schema } from "./contract.ts";
export { checkedFetch, type Fetch } from "./conformance/checked-fetch.ts";
export {
  createConformance,
  type CheckedResponse,
  type Conformance,
  type ConformanceOptions,
} from "./conformance/conformance.ts";
export { describeFinding, type Finding, type FindingKind } from "./conformance/finding.ts";
export { conformanceRecorder, type ConformanceRecorder } from "./conformance/recorder.ts";
export { caseId, type Case, type Law, type Need } from "./cases/case.ts";
export type { Failure } from "./failure.ts";
export type { CollectionRecipe, OperationRecipe, ResourceRecipe } from "./recipes/recipe.ts";
export { runCommand, type CliContext } from "./command.ts";
export { junitReport } from "./report/junit.ts";
export type { CaseResult, Coverage, Report } from "./report/report.ts";
export { htmlReport } from "./report/html.ts";
export { textReport } from "./report/text.ts";
export type { Progress } from "./run-cases.ts";
export type { Selection, Selector, Shard } from "./selection.ts";
export { listCases, runContractTests, type RunOptions } from "./run.ts";
export type { JsonObject } from "./requests/request.ts";
export type { Credentials } from "./target/credentials.ts";
export { controlPlaneFaults, type Faults } from "./target/faults.ts";
