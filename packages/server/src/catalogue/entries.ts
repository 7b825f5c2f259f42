import { createHash } from "node:crypto";
import type { Resource, Tenant } from "../store/types.ts";

/** Records of one kind that every tenant starts with. */
export interface CatalogueEntry<Record extends object = object> {
  readonly resource: Resource<Record>;
  /**
   * The version of the catalogue that brought them. Tenants that have had it are left alone, so what
   * they deleted stays deleted; more records of a kind are another entry with a later version.
   */
  readonly since: number;
  /** The same at every call, ids and times included (`catalogueId`, `now`). */
  records(tenant: Tenant, now: Date): readonly Record[];
}

/** The id of a catalogue's record in a tenant: 32 hex digits that follow from what it is. */
export const catalogueId = (cid: string, collection: string, name: string): string =>
  createHash("sha256").update(`${cid}/${collection}/${name}`).digest("hex").slice(0, 32);
