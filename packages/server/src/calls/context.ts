import type { Logger } from "pino";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { Clock } from "../foundation/clock.ts";
import type { PlatformConfig } from "../foundation/config.ts";
import type { HostFiles } from "../host-files/host-files.ts";
import type { Storage } from "../storage/storage.ts";
import type { Limits } from "../limits/limits.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import type { Store } from "../store/index.ts";

/** What every handler can use; created once at start. */
export interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: PlatformConfig;
  readonly logger: Logger;
  readonly limits: Limits;
  /** The limits of storage; null: none. */
  readonly storage: Storage | null;
  /** Signs page cursors. All processes of one database use the same secret. */
  readonly cursorSecret: string;
  /** The object store: files outside the database. */
  readonly blobs: BlobStore;
  /** Signs URLs of files. All processes of one database use the same key. */
  readonly linkKey: string;
  /** Requests to URLs that tenants choose. */
  readonly outgoing: Outgoing;
  /** The connection to hosts, or null if there is none. */
  readonly hostFiles: HostFiles | null;
}
