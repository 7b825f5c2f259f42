import type { SortKey } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { Resource } from "../store/index.ts";

type Served = components["schemas"]["HostMember"];

/** A stored host. `groups`, `group_hash` and `membership` are derived from the host groups and kept up to date. */
export type Host = Served & {
  /** Hidden; see `membershipOf`. */
  readonly membership?: string;
};

/** The fields by which tenants filter and sort hosts. */
export const hostFields = fqlTables.hosts.fields;

/** A list has no order of its own, so hosts sort by their first organizational unit. */
const firstUnit = "first_ou";

/** Machines with a sensor. Only imports create them. */
export const hosts: Resource<Host> = {
  name: "hosts",
  collection: "inventory",
  fields: {
    ...hostFields,
    // No FQL filter uses `membership`, so it needs no folded text.
    membership: { type: "string", filterable: false },
    [firstUnit]: { type: "string", sortable: true, filterable: false, path: "ou.0" },
  },
  id: "device_id",
  hidden: ["membership"],
  indexes: [
    "device_id",
    "hostname",
    "platform_name",
    "last_seen",
    "first_seen",
    "local_ip",
    "membership",
  ],
};

/** Options of every list of hosts. */
export const hostList = {
  resource: hosts,
  records: "own",
  fields: hostFields,
  order: (keys: readonly SortKey[]): readonly SortKey[] =>
    keys.map((key) => (key.field === "ou" ? { ...key, field: firstUnit } : key)),
} as const;

/** Maximum length of a membership. Some engines cannot index longer texts. */
const longestMembership = 1_000;

/** Membership of hosts whose groups exceed the maximum length. */
export const manyGroups = "*";

/**
 * Platform and groups in one text. They decide which policies and other records apply to a host. A tenant
 * has few distinct memberships, so an index over them answers this without reading hosts.
 */
export function membershipOf({ platform_name, groups = [] }: Served): string {
  const text = `${platform_name ?? ""}:${groups.join(",")}`;
  return text.length > longestMembership ? manyGroups : text;
}

/** Platform and groups that a membership other than `manyGroups` names. */
export function readMembership(membership: string): {
  readonly platform: string;
  readonly groups: readonly string[];
} {
  const [platform = "", groups = ""] = membership.split(":");
  return { platform, groups: groups === "" ? [] : groups.split(",") };
}
