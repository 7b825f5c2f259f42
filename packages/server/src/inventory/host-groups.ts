import { createHash } from "node:crypto";
import { foldCase } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { RecordText, Resource } from "../store/index.ts";
import { memberListText } from "./member-list.ts";

type ServedHostGroup = components["schemas"]["HostGroup"];

/** A stored group: the members that policies and exclusions show, and hidden ones. */
export interface HostGroup extends ServedHostGroup {
  readonly group_type: NonNullable<ServedHostGroup["group_type"]>;
  /** The FQL of a dynamic group; the member list of a static group, as text. */
  readonly assignment_rule: string;
  /** Device ids of a `staticByID` group; the hosts need not exist. */
  readonly device_ids?: readonly string[];
  /** Host names of a `static` group, case-insensitive. */
  readonly hostnames?: readonly string[];
  /** Changes when the definition of the membership changes. */
  readonly fingerprint: string;
}

/** The input for a group. */
export type HostGroupParts = Omit<HostGroup, "assignment_rule" | "fingerprint"> & {
  readonly assignment_rule?: string;
};

/** Noun for messages. */
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

/** Orders the members and adds the derived ones. */
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

/** Maximum length of a rule in other records. Each policy with the group would repeat a longer one. */
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
