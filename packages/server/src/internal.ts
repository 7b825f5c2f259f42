/** What `secplat` and the tests of the other packages need of the server. It changes with any version. */
export * from "./portable.ts";
export { rotateSecret } from "./access/clients.ts";
export { newIdentifier } from "./foundation/identifiers.ts";
export { syncFolder, syncFolderNow } from "./foundation/sync-folder.ts";
export { grantToken } from "./access/tokens.ts";
export type { BlobStore, DiskBlobs } from "./blobs/blob-store.ts";
export { BlobStoreError } from "./blobs/errors.ts";
export { MemoryBlobs } from "./blobs/memory-blobs.ts";
export { openBlobs, ownBlobs } from "./blobs/open-blobs.ts";
export type { MailConfig, ServerConfig, TlsConfig } from "./foundation/config.ts";
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
export { SecretKeyError } from "./secrets/secret-key.ts";
export { inventoryOf } from "./domain/container/images/inventory.ts";
export {
  defaultLimits as defaultImageLimits,
  ImageError,
} from "./domain/container/images/limits.ts";
export { readImage, type ImageContents } from "./domain/container/images/read-image.ts";
export { parseReference as parseImageName } from "./domain/container/images/reference.ts";
export { findUserByUid } from "./domain/user-management/users/find-user.ts";
export { setPassword, type NewPassword } from "./domain/user-management/passwords/set-password.ts";
export { allowedUidDomains, allowUidDomains } from "./domain/user-management/users/uid-domains.ts";
export {
  editAccessTagHolders,
  listAccessTags,
} from "./domain/case-management/access-tags/edit-holders.ts";
export { editHostGroupMembers, listHostGroups } from "./inventory/edit-members.ts";
export { HostGroupError, setHostGroupMembers } from "./inventory/set-members.ts";
export { filesBelow, type ImportFiles } from "./imports/import-files.ts";
export { importKinds, importRecords } from "./imports/index.ts";
export { memoryForBodies, memoryForResponses } from "./http/memory-limits.ts";
export { reservePort } from "./http/connections/listen.ts";
export { holdsSite, siteProblem } from "./http/docs-site/site.ts";
export { reinstallText } from "./http/docs-site/unreadable.ts";
export { isLoopback } from "./http/loopback.ts";
export { LimitKeeper } from "./limits/limit-keeper.ts";
export type { Limits } from "./limits/limits.ts";
export type { Channel } from "./limits/messages.ts";
export { SharedLimits } from "./limits/shared-limits.ts";
export { writeAsCommand } from "./records/write.ts";
export { listMails } from "./mail/outbox.ts";
export { mailboxOf, smtpOptions } from "./mail/smtp-mailer.ts";
export { networkOf } from "./outgoing/addresses.ts";
export { seedWorld, storyHostFiles, worldClient, worlds } from "./seed/index.ts";
export { connectionsOf } from "./http/connections/connections.ts";
export { joinCounts, joinMetrics, type ProcessMetrics } from "./host/metrics/join-metrics.ts";
export type { ServerMetrics } from "./host/metrics/server-metrics.ts";
export { serveMetrics, type MetricsPage } from "./http/connections/metrics-page.ts";
export { BackupError } from "./host/backup/archive.ts";
export { backUp, exportSnapshot, type ArchiveParts } from "./host/backup/back-up.ts";
export { abandonedDrafts } from "./host/backup/drafts.ts";
export type { BackupSummary, SnapshotSummary } from "./host/backup/manifest.ts";
export { importSnapshot, restore, verifyBackup, type RestoreParts } from "./host/backup/restore.ts";
export { startServer, type RunningServer } from "./host/start-server.ts";
export { openStoreAt } from "./host/open-store-at.ts";
export { jobStates, UnknownRowsError, type Job, type UpgradeProgress } from "./store/index.ts";
export { neededKeys } from "./store/copy-database.ts";
export { adviceFor, inspectDatabase } from "./store/inspect-database.ts";
export { defaultDatabaseLimits, type DatabaseLimits } from "./store/open-database.ts";
export { isSdkTooOld } from "./host/tracing/active-tracing.ts";
