import type { BlobStore } from "../blobs/blob-store.ts";
import type { Clock } from "../foundation/clock.ts";
import { expireExports, removeExports } from "../domain/container/exports/export-states.ts";
import { writeExports } from "../domain/container/exports/write-export.ts";
import { refreshRegistries } from "../domain/container/registries/refresh.ts";
import { expireScanTickets } from "../domain/container/scans/expire-tickets.ts";
import { expireInvitations } from "../domain/user-management/invitations/expire-invitations.ts";
import { analyseCases } from "../domain/case-management/cases/analyse-again.ts";
import { followUser } from "../domain/case-management/cases/follow-users.ts";
import { assignGroups } from "../inventory/assign-groups.ts";
import { retrieveFiles } from "../domain/case-management/files/retrieve-files.ts";
import { escalateCases } from "../domain/case-management/slas/escalate.ts";
import { mailMessages, postMessages } from "../domain/case-management/notifications/deliver.ts";
import { purgeDeliveries } from "../domain/case-management/notifications/keep-deliveries.ts";
import type { HostFiles } from "../host-files/host-files.ts";
import type { JobKind } from "../jobs/job-kind.ts";
import { purgeBlobs } from "../jobs/purge-blobs.ts";
import { purgeJobs } from "../jobs/purge-jobs.ts";
import { purgeRequests } from "../jobs/purge-requests.ts";
import { purgeTokens } from "../jobs/purge-tokens.ts";
import { sweepStore } from "../jobs/sweep-store.ts";
import { deliverMails } from "../mail/deliver-mails.ts";
import type { Storage } from "../storage/storage.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import type { Store } from "../store/index.ts";

interface BackgroundParts {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  /** Null: mails stay in the outbox until a process with a mailer sends them. */
  readonly mailer: Mailer | null;
  /** The clock for file timestamps. */
  readonly fileClock: Clock;
  /** Null: messages stay due, and registries are not read, until a process with a network does so. */
  readonly outgoing: Outgoing | null;
  readonly notifications: { readonly pagerDutyUrl: string };
  /** Null: files stay requested until a process with a connection to hosts fetches them. */
  readonly hostFiles: HostFiles | null;
  /** Absent or null: storage is not limited. */
  readonly storage?: Storage | null;
  /** Maximum size of a file from a host in bytes. */
  readonly fileBytes: number;
}

/** Everything that a platform does in the background, except the work of its host. */
export const backgroundWork = ({
  store,
  blobs,
  clock,
  mailer,
  fileClock,
  outgoing,
  notifications,
  hostFiles,
  storage = null,
  fileBytes,
}: BackgroundParts): readonly JobKind[] => [
  purgeJobs(store),
  purgeTokens(store),
  purgeRequests(store),
  sweepStore(store),
  purgeBlobs(store, blobs, fileClock),
  expireInvitations,
  assignGroups(store),
  analyseCases(store),
  followUser(store),
  expireScanTickets,
  writeExports({ store, blobs, clock, storage }),
  expireExports,
  removeExports,
  escalateCases,
  purgeDeliveries(store),
  ...(outgoing === null
    ? []
    : [refreshRegistries(store, outgoing), postMessages(store, outgoing, notifications)]),
  ...(hostFiles === null ? [] : [retrieveFiles({ store, blobs, hostFiles, fileBytes, storage })]),
  ...(mailer === null ? [] : [deliverMails(store, mailer), mailMessages(store, mailer)]),
];
