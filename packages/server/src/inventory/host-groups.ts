import { createHash } from "node:crypto";
import { foldCase } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { Context } from "../context.ts";
import type { RecordText, Resource } from "../store/index.ts";
import { memberListText } from "./member-list.ts";

type ServedHostGroup = components["schemas"]["HostGroup"];

/** As stored: what records of policies and exclusions show of a group, and hidden members. */
export interface HostGroup extends ServedHostGroup {
  readonly group_type: NonNullable<ServedHostGroup["group_type"]>;
  /** FQL over hosts of a dynamic group; of the others a text of their list. */
  readonly assignment_rule: string;
  /** The members of a `staticByID` group, whether there are such hosts or not. */
  readonly device_ids?: readonly string[];
  /** The members of a `static` group by name, in any case. */
  readonly hostnames?: readonly string[];
  /** Changes with what decides who belongs to the group. */
  readonly fingerprint: string;
}

/** What a group is made of. */
export type HostGroupParts = Omit<HostGroup, "assignment_rule" | "fingerprint"> & {
  readonly assignment_rule?: string;
};

/** The word for one in messages. */
export const hostGroupNoun = "host group";

/** The fields that callers may filter and sort by. */
export const hostGroupFields = fqlTables["host-groups"].fields;

/** Groups of hosts, to which policies and exclusions are assigned. */
export const hostGroups: Resource<HostGroup> = {
  name: "host_groups",
  collection: "inventory",
  fields: { ...hostGroupFields, fingerprint: { type: "string", sortable: true } },
  id: "id",
  uniqueKey: ({ name }) => foldCase(name),
  hidden: ["device_ids", "hostnames", "fingerprint"],
  indexes: ["name", "fingerprint"],
};

/** The group with its members in their one order, and those that follow from others. */
export function hostGroup(parts: HostGroupParts): HostGroup {
  const { id, name, description, group_type } = parts;
  const { device_ids = [], hostnames = [] } = parts;
  const rule = {
    dynamic: () => parts.assignment_rule ?? "",
    static: () => memberListText({ device_ids: [], hostnames }),
    staticByID: () => memberListText({ device_ids, hostnames: [] }),
  }[group_type]();
  return {
    id,
    name,
    description,
    group_type,
    assignment_rule: rule,
    created_by: parts.created_by,
    created_timestamp: parts.created_timestamp,
    modified_by: parts.modified_by,
    modified_timestamp: parts.modified_timestamp,
    ...(group_type === "staticByID" ? { device_ids } : {}),
    ...(group_type === "static" ? { hostnames } : {}),
    fingerprint: createHash("sha256").update(`${id} ${group_type} ${rule}`).digest("hex"),
  };
}

/** Longer rules are not shown in records: as many policies as have the group would repeat them. */
const longestShownRule = 65_536;

/** A group as records of policies and exclusions show it; `text` is the group's record. */
export function shownGroup(text: RecordText): ServedHostGroup {
  const group = JSON.parse(text) as ServedHostGroup;
  const { assignment_rule = "", ...rest } = group;
  return assignment_rule.length > longestShownRule ? rest : group;
}

/** Removes duplicates: host names that differ only in case are equal. */
export const distinctNames = (names: readonly string[]): readonly string[] => [
  ...new Map(names.map((name) => [foldCase(name), name])).values(),
];

/** The ids for which the tenant has no group. A group of another tenant counts as missing. */
export async function missingHostGroups(
  { store, clock }: Pick<Context, "store" | "clock">,
  cid: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const distinctIds = [...new Set(ids)];
  const existing = await store.records(hostGroups, { cid }).get(distinctIds, clock.now());
  return distinctIds.filter((id) => !existing.has(id));
}
