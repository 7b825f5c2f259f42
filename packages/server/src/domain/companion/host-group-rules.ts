import { FqlSyntaxError } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Problem } from "../../foundation/errors.ts";
import { newIdentifier } from "../../foundation/identifiers.ts";
import { readAssignmentRule } from "../../inventory/assignment-rule.ts";
import { groupCeiling } from "../../inventory/group-rules.ts";
import {
  distinctNames,
  hostGroup,
  hostGroupFields,
  hostGroupNoun,
  hostGroups,
  type HostGroup,
} from "../../inventory/host-groups.ts";
import { readMemberList } from "../../inventory/member-list.ts";
import { defined } from "../../records/defined.ts";
import type { PlainKind } from "../../records/plain/kind.ts";

type Schemas = components["schemas"];
type Input = Schemas["HostGroupInput"];
type Changes = Omit<Schemas["HostGroupUpdateInput"], "id">;
type GroupType = HostGroup["group_type"];

/** The members of a group that its rule determines, or the problem of the rule. */
type Reading =
  | { readonly parts: Pick<HostGroup, "device_ids" | "hostnames"> & { assignment_rule?: string } }
  | { readonly problem: string };

/** Maximum number of hosts that a static group lists. */
export const maximumMembers = 100_000;

/** The kind of the operations that create, change and delete host groups. */
export const hostGroupKind: PlainKind<HostGroup, Input, Changes> = {
  resource: hostGroups,
  fields: hostGroupFields,
  noun: hostGroupNoun,
  maximum: groupCeiling,
  unique: ["name"],
  make: ({ name, description = "", group_type, assignment_rule = "" }, { actor, now }) =>
    hostGroup({
      id: newIdentifier(),
      name,
      description,
      group_type,
      ...partsOf(group_type, assignment_rule),
      created_by: actor,
      created_timestamp: now.toISOString(),
      modified_by: actor,
      modified_timestamp: now.toISOString(),
    }),
  change: (group, { name, description, assignment_rule }, { actor, now }) =>
    hostGroup({
      ...group,
      ...defined({ name, description }),
      ...(assignment_rule === undefined ? {} : partsOf(group.group_type, assignment_rule)),
      modified_by: actor,
      modified_timestamp: now.toISOString(),
    }),
  problems: ({ at, after }, { assignment_rule }): readonly Problem[] => {
    if (assignment_rule === undefined) return [];
    const reading = readRule(after.group_type, assignment_rule);
    return "problem" in reading ? [{ at: `${at}.assignment_rule`, message: reading.problem }] : [];
  },
};

/** An invalid rule returns no members here; `problems` reports it. */
function partsOf(type: GroupType, rule: string) {
  const reading = readRule(type, rule);
  return "parts" in reading ? reading.parts : {};
}

function readRule(type: GroupType, rule: string): Reading {
  try {
    if (type !== "dynamic") return readList(type, rule);
    readAssignmentRule(rule);
    return { parts: { assignment_rule: rule } };
  } catch (error) {
    if (!(error instanceof FqlSyntaxError)) throw error;
    return { problem: error.message };
  }
}

const listForms = {
  static: "device_id:[''],hostname:['NAME-1','NAME-2']",
  staticByID: "device_id:['id-1','id-2'],hostname:['']",
};

function readList(type: Exclude<GroupType, "dynamic">, rule: string): Reading {
  const list = readMemberList(rule);
  const foreign = type === "static" ? list?.device_ids : list?.hostnames;
  const own = type === "static" ? list?.hostnames : list?.device_ids;
  if (own === undefined || foreign?.length !== 0) {
    return { problem: `expected the list of a ${type} group, such as ${listForms[type]}` };
  }
  if (own.length > maximumMembers) {
    return { problem: `has ${own.length} hosts; a group can have ${maximumMembers}` };
  }
  const wrong = type === "staticByID" ? own.find((id) => !identifier.test(id)) : undefined;
  if (wrong !== undefined) {
    return { problem: `expected identifiers of 32 lower-case hexadecimal digits, got ${wrong}` };
  }
  return {
    parts: type === "static" ? { hostnames: distinctNames(own) } : { device_ids: [...own] },
  };
}

const identifier = /^[0-9a-f]{32}$/;
