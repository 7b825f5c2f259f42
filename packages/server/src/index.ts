/**
 * The public interface: start a server, embed a platform in a program, and test with it. `./internal` has what
 * `secplat` needs in addition, and changes with any version.
 */
export {
  serve,
  type NewCredentials,
  type ServedPlatform,
  type ServeOptions,
  type ServiceCredentials,
} from "./host/serve.ts";
export { openStoreAt, type OpenOptions } from "./host/open-store-at.ts";
export { createPlatform, type Platform, type PlatformParts } from "./platform/platform.ts";
export { resources } from "./platform/resources.ts";
export { openStore, sqliteDatabase, StoreError, type Store } from "./store/index.ts";
export type { SqliteDriver, SqliteHandle, SqliteParts, SqliteStatement } from "./store/index.ts";
export { FixedKeys, type Keyring } from "./secrets/keyring.ts";
export { KeyFile } from "./secrets/key-file.ts";
export { openBlobs } from "./blobs/open-blobs.ts";
export { systemClock, type Clock } from "./foundation/clock.ts";
export { createLogger, type LogLevel } from "./foundation/logger.ts";
export { defaultLimits, type PlatformConfig, type ServerLimits } from "./foundation/config.ts";
export { importRecords, importKinds, type ImportKind } from "./imports/index.ts";
