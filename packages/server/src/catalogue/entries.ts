import { createHash } from "node:crypto";
import type { Resource, Tenant } from "../store/index.ts";

/** Records of one kind that every tenant starts with, as its own. */
export interface TenantEntry<Record extends object = object> {
  readonly resource: Resource<Record>;
  /**
   * The version of the catalogue that introduced the records. A tenant that already has this version is not
   * changed, so that records that it deleted stay deleted. To add records of a kind, add an entry with a
   * later version.
   */
  readonly since: number;
  /** The same at every call, ids and times included (`catalogueId`, `now`). */
  records(tenant: Tenant, now: Date): readonly Record[];
}

/** Records of one kind that are the same for every tenant, stored once with the platform. */
export interface SharedEntry<Record extends object = object> {
  readonly resource: Resource<Record>;
  /** The records of the entry, the same at every call. */
  records(): readonly Record[];
  /**
   * Whether the tenant changed its copy, which dates from before the records were shared. An unchanged copy
   * is removed. Default: false.
   */
  isChanged?(copy: Record, shared: Record): boolean;
  /**
   * Whether to keep a stored record that differs from the catalogue's record: imports can store newer
   * records. Other records are replaced. Default: false.
   */
  keepsStored?(stored: Record, shared: Record): boolean;
}

export interface Catalogue {
  /** The entries of all versions. */
  readonly tenants: readonly TenantEntry[];
  readonly shared: readonly SharedEntry[];
  /** The first version that stores the shared records once. Before it, each tenant had copies. */
  readonly sharedSince: number;
  /**
   * Raised when shared records change, so that a server with an older catalogue leaves the newer records
   * alone. Default: `sharedSince`.
   */
  readonly sharedVersion?: number;
}

/** The id of a catalogue record in a tenant: 32 hex digits, derived from the arguments. */
export const catalogueId = (cid: string, collection: string, name: string): string =>
  createHash("sha256").update(`${cid}/${collection}/${name}`).digest("hex").slice(0, 32);
