/**
 * What a host of any kind needs to run a platform: nothing here loads a network, files, threads or an engine. It
 * changes with any version.
 */
export { canonicalInstant } from "@security-platform/fql";
export { createClient, type NewClient } from "./access/clients.ts";
export { everyScope } from "./access/roles.ts";
export { MemoryBlobs, type KeptFiles } from "./blobs/memory-blobs.ts";
export { createTenant } from "./catalogue/index.ts";
export { systemClock, type Clock } from "./foundation/clock.ts";
export {
  defaultLimits,
  defaultOutgoing,
  type OutgoingConfig,
  type PlatformConfig,
  type ServerLimits,
} from "./foundation/config.ts";
export { ControlledClock } from "./control/controlled-clock.ts";
export {
  createControlledPlatform,
  type ControlledPlatform,
} from "./control/controlled-platform.ts";
export type { Advanced, Controls } from "./control/controls.ts";
export { createHome, type Home, type HomeTenant, type Template } from "./control/home.ts";
export type { FaultRule, RecordedRequest, SetFault } from "@security-platform/spec";
export type { App } from "./http/app.ts";
export type { FaultMatch, FaultRules } from "./http/control/fault-rule.ts";
export type { RecordedRequests, RequestFilter } from "./http/control/recorded-request.ts";
export type { ImportKind } from "./imports/index.ts";
export { createLogger, type LogLevel } from "./foundation/logger.ts";
export {
  createPlatform,
  prepareStore,
  type Platform,
  type PlatformParts,
} from "./platform/platform.ts";
export { resources } from "./platform/resources.ts";
export { FixedKeys, type Keyring } from "./secrets/keyring.ts";
export { readSecretKeys } from "./secrets/secret-key.ts";
export type { SeededWorld, World } from "./seed/index.ts";
export { worldHostFiles } from "./seed/world-host-files.ts";
export {
  openStore,
  sqliteDatabase,
  StoreError,
  type Database,
  type SqliteDriver,
  type SqliteHandle,
  type SqliteParts,
  type SqliteStatement,
  type SqliteValue,
  type Store,
  type Tenant,
} from "./store/index.ts";
export { suggestion } from "@security-platform/spec/schemas";
