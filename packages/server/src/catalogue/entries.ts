import { createHash } from "node:crypto";
import type { Resource, Tenant } from "../store/types.ts";

/** Records of one kind that every tenant starts with, as its own. */
export interface TenantEntry<Record extends object = object> {
  readonly resource: Resource<Record>;
  /**
   * The version of the catalogue that introduced them. Tenants that had it are left alone, so that
   * records that they deleted stay deleted. More records of a kind are another entry with a later version.
   */
  readonly since: number;
  /** The same at every call, ids and times included (`catalogueId`, `now`). */
  records(tenant: Tenant, now: Date): readonly Record[];
}

/** Records of one kind that are the same for every tenant, stored once with the platform. */
export interface SharedEntry<Record extends object = object> {
  readonly resource: Resource<Record>;
  /** The same at every call. */
  records(): readonly Record[];
  /**
   * Whether a copy that a tenant has from before the records were shared says something of its own.
   * Default: no, and it is removed.
   */
  isChanged?(copy: Record, shared: Record): boolean;
  /**
   * Whether a stored record of the platform stays although the catalogue's differs, as imports can store
   * newer ones. Default: no, and it is replaced.
   */
  keepsStored?(stored: Record, shared: Record): boolean;
}

export interface Catalogue {
  /** One list for all versions. */
  readonly tenants: readonly TenantEntry[];
  readonly shared: readonly SharedEntry[];
  /** The version from which on the shared records are stored once; before, each tenant had copies. */
  readonly sharedSince: number;
  /**
   * Raised when shared records change, so that a server with an older catalogue leaves the newer records
   * alone. Default: `sharedSince`.
   */
  readonly sharedVersion?: number;
}

/** The id of a catalogue's record in a tenant: 32 hex digits that follow from what it is. */
export const catalogueId = (cid: string, collection: string, name: string): string =>
  createHash("sha256").update(`${cid}/${collection}/${name}`).digest("hex").slice(0, 32);
