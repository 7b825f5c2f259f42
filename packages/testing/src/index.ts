export { startPlatform } from "./node-host.ts";
export type { StartOptions } from "./options.ts";
export type {
  Credentials,
  FetchInput,
  PlatformClock,
  Seed,
  SeededTenant,
  TestPlatform,
} from "./test-platform.ts";
export type { BuiltRecord, RecordInput, SeedBuilders } from "./seed-builders.ts";
export type { ImportRecords } from "@security-platform/spec";
export type {
  Advanced,
  FaultMatch,
  FaultRule,
  FaultRules,
  ImportKind,
  RecordedRequest,
  RecordedRequests,
  RequestFilter,
  SeededWorld,
  SetFault,
  World,
} from "@security-platform/server/internal";
