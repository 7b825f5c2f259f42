/** What `secplat` and the tests of the other packages need of the server. It changes with any version. */
export { createClient, rotateSecret, type NewClient } from "./access/clients.ts";
export { newIdentifier } from "./identifiers.ts";
export { grantToken, type TokenGrant } from "./access/tokens.ts";
export type { BlobStore, DiskBlobs } from "./blobs/blob-store.ts";
export { BlobStoreError } from "./blobs/errors.ts";
export { MemoryBlobs } from "./blobs/memory-blobs.ts";
export { openBlobs, ownBlobs } from "./blobs/open-blobs.ts";
export { createTenant } from "./catalogue/index.ts";
export { systemClock, type Clock } from "./clock.ts";
export {
  defaultLimits,
  defaultOutgoing,
  type MailConfig,
  type OutgoingConfig,
  type PlatformConfig,
  type ServerConfig,
  type ServerLimits,
  type TlsConfig,
} from "./config.ts";
export {
  addCaseFile,
  CaseFileError,
  findCaseFile,
  listCaseFiles,
  openCaseFile,
} from "./domain/case-management/files/keep-files.ts";
export type { FileDetail as CaseFile } from "./domain/case-management/files/files.ts";
export {
  deliveryStates,
  type Delivery,
  type DeliveryState,
} from "./domain/case-management/notifications/deliveries.ts";
export {
  findDelivery,
  listDeliveries,
  retryDelivery,
} from "./domain/case-management/notifications/keep-deliveries.ts";
export {
  acceptInvitation,
  cancelInvitation,
  listInvitations,
} from "./domain/user-management/invitations/answer-invitation.ts";
export { KeyFile } from "./secrets/key-file.ts";
export { FixedKeys, type Keyring } from "./secrets/keyring.ts";
export { newKeyText, readSecretKeys } from "./secrets/secret-key.ts";
export { inventoryOf } from "./domain/container/images/inventory.ts";
export {
  defaultLimits as defaultImageLimits,
  ImageError,
} from "./domain/container/images/limits.ts";
export { readImage, type ImageContents } from "./domain/container/images/read-image.ts";
export { parseReference as parseImageName } from "./domain/container/images/reference.ts";
export { findUserByUid, type FoundUser } from "./domain/user-management/users/find-user.ts";
export {
  setPassword,
  type NewPassword,
  type SignedUp,
} from "./domain/user-management/passwords/set-password.ts";
export { allowedUidDomains, allowUidDomains } from "./domain/user-management/users/uid-domains.ts";
export {
  AccessTagError,
  editAccessTagHolders,
  listAccessTags,
  type HeldAccessTag,
  type HoldersEdit,
} from "./domain/case-management/access-tags/edit-holders.ts";
export {
  editHostGroupMembers,
  listHostGroups,
  type CountedHostGroup,
  type MembersEdit,
} from "./inventory/edit-members.ts";
export { HostGroupError, setHostGroupMembers } from "./inventory/set-members.ts";
export { filesBelow, type ImportFiles } from "./imports/import-files.ts";
export { importKinds, importRecords, type ImportKind } from "./imports/index.ts";
export { memoryForBodies } from "./http/bodies/body-memory.ts";
export { reservePort } from "./http/connections/listen.ts";
export { isLoopback } from "./http/loopback.ts";
export { LimitKeeper } from "./limits/limit-keeper.ts";
export type { Limits } from "./limits/limits.ts";
export type { Channel } from "./limits/messages.ts";
export { SharedLimits } from "./limits/shared-limits.ts";
export { createLogger, type LogLevel } from "./logger.ts";
export { writeAsCommand } from "./records/write.ts";
export { listMails } from "./mail/outbox.ts";
export { mailboxOf, smtpOptions } from "./mail/smtp-mailer.ts";
export { networkOf } from "./outgoing/addresses.ts";
export { resources } from "./resources.ts";
export { seedWorld, worlds, type SeededWorld, type World } from "./seed/index.ts";
export {
  createControlledPlatform,
  type ControlledParts,
  type ControlledPlatform,
} from "./control/controlled-platform.ts";
export { ControlledClock } from "./control/controlled-clock.ts";
export type { Advanced, Controls } from "./control/controls.ts";
export type { FaultRule, RecordedRequest, SetFault } from "@security-platform/spec";
export type { FaultMatch, FaultRules } from "./http/control/fault-rule.ts";
export type { RecordedRequests, RequestFilter } from "./http/control/recorded-request.ts";
export { connectionsOf } from "./http/connections/connections.ts";
export { suggestion } from "./validation/suggestion.ts";
export { everyScope } from "./access/roles.ts";
export { createPlatform, prepareStore, type Platform, type PlatformParts } from "./platform.ts";
export { startServer, type RunningServer } from "./host/start-server.ts";
export { openStoreAt } from "./host/open-store-at.ts";
export {
  jobStates,
  openStore,
  sqliteDatabase,
  StoreError,
  type Database,
  type Job,
  type JobState,
  type SqliteDriver,
  type SqliteHandle,
  type SqliteParts,
  type SqliteStatement,
  type SqliteValue,
  type Store,
  type Tenant,
  type UpgradeProgress,
} from "./store/index.ts";
export { defaultDatabaseLimits, type DatabaseLimits } from "./store/open-database.ts";
