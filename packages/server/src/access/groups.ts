import type { Fields } from "@security-platform/fql";
import { fqlTables } from "@security-platform/spec";
import type { Resource } from "../store/index.ts";

/** Users who hold the same roles in one tenant. */
export interface UserGroup {
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** The tenant of the group. The members hold `role_ids` in it. */
  readonly cid: string;
  readonly name: string;
  readonly description?: string;
  readonly user_uuids: readonly string[];
  readonly role_ids: readonly string[];
  /** Time of the last change by an operation. */
  readonly last_modified_timestamp?: string;
}

/** Descendants of a tenant, and the roles that user groups hold in each of them. */
export interface TenantGroup {
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** The parent tenant that the group belongs to. */
  readonly cid: string;
  readonly name: string;
  readonly description?: string;
  /** Descendants of `cid`. */
  readonly cids: readonly string[];
  readonly grants: readonly TenantGroupGrant[];
  /** Time of the last change by an operation. */
  readonly last_modified_timestamp?: string;
}

export interface TenantGroupGrant {
  /** A user group of the same tenant. */
  readonly user_group_id: string;
  readonly role_ids: readonly string[];
}

/** The stored record, with the ids of its user groups to filter by. */
export interface StoredTenantGroup extends TenantGroup {
  readonly user_group_ids: readonly string[];
}

const userGroupFields: Fields = {
  ...fqlTables["user-groups"].fields,
  cid: { type: "string" },
  user_uuids: { type: "string", array: true },
};

const tenantGroupFields: Fields = {
  ...fqlTables["tenant-groups"].fields,
  cid: { type: "string" },
  cids: { type: "string", array: true },
  user_group_ids: { type: "string", array: true },
};

/** Stored with the platform, because members may belong to several tenants. */
export const userGroups: Resource<UserGroup> = {
  name: "user_groups",
  collection: "user_management",
  fields: userGroupFields,
  id: "id",
  indexes: [],
};

/** Stored with the platform. */
export const tenantGroups: Resource<StoredTenantGroup> = {
  name: "tenant_groups",
  collection: "user_management",
  fields: tenantGroupFields,
  id: "id",
  indexes: [],
};

export const storedTenantGroup = (group: TenantGroup): StoredTenantGroup => ({
  ...group,
  user_group_ids: [...new Set(group.grants.map(({ user_group_id }) => user_group_id))],
});
