import { fqlTables } from "@security-platform/spec";
import { storedTenantGroup, tenantGroups, type StoredTenantGroup } from "../../access/groups.ts";
import type { GroupKind } from "./group-kind.ts";

/**
 * Groups of tenants in which user groups hold roles. The members are tenants below the tenant of the group.
 */
export const tenantGroupKind: GroupKind<StoredTenantGroup> = {
  resource: tenantGroups,
  fields: fqlTables["tenant-groups"].fields,
  noun: "tenant group",
  wire: { id: "cid_group_id", members: "cids" },
  largest: 10_000,
  members: ({ cids }) => cids,
  make: (parts) => storedTenantGroup({ ...parts, cids: [], grants: [] }),
  withMembers: (group, cids) => storedTenantGroup({ ...group, cids }),
  unknownMembers: async ({ caller, context }, _writing, members) => {
    const below = await context.store.directory.descendants(caller.cid);
    const cidsBelow = new Set(below.map(({ cid }) => cid));
    return [...members].flatMap(([cid, at]) =>
      cidsBelow.has(cid)
        ? []
        : [{ at, id: cid, message: `${cid} is not below the tenant of the token` }],
    );
  },
};
