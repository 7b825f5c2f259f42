import { FqlSyntaxError } from "@security-platform/fql";
import { runGroupAssignments } from "../inventory/assign-groups.ts";
import { readAssignmentRule } from "../inventory/assignment-rule.ts";
import {
  distinctNames,
  hostGroup,
  hostGroups,
  type HostGroup,
  type HostGroupParts,
} from "../inventory/host-groups.ts";
import { groupId } from "./group-id.ts";
import { withHistory } from "./history.ts";
import type { Importer, LineProblem } from "./kind.ts";

type Line = Partial<HostGroupParts> & Pick<HostGroupParts, "name" | "group_type">;

/** Imports host groups, one per line, and updates the groups of all hosts. */
export const hostGroupImporter: Importer<Line, HostGroup> = {
  resource: hostGroups,
  finish: runGroupAssignments,
  read: (line, { cid, now }) => {
    const problems = problemsOf(line);
    if (problems.length > 0) return { problems };
    const author = line.created_by ?? "import";
    const created = line.created_timestamp ?? now.toISOString();
    return {
      record: hostGroup({
        ...line,
        id: line.id ?? groupId(cid, hostGroups.name, line.name),
        description: line.description ?? "",
        device_ids: [...new Set(line.device_ids)],
        hostnames: distinctNames(line.hostnames ?? []),
        created_by: author,
        created_timestamp: created,
        modified_by: line.modified_by ?? author,
        modified_timestamp: line.modified_timestamp ?? created,
      }),
    };
  },
  renew: (stored, newer) =>
    hostGroup(
      withHistory(
        stored,
        { ...newer, record: { ...newer.record, id: stored.id } },
        {
          created: ["created_by", "created_timestamp"],
          modified: ["modified_by", "modified_timestamp"],
        },
      ),
    ),
};

/** The member that selects the hosts of each type of group. */
const listOf = {
  static: "hostnames",
  staticByID: "device_ids",
  dynamic: "assignment_rule",
} as const;

function problemsOf(line: Line): readonly LineProblem[] {
  const { group_type } = line;
  const needed = listOf[group_type];
  const others = (["hostnames", "device_ids"] as const).filter(
    (name) => name !== needed && line[name] !== undefined,
  );
  return [
    ...(line[needed] === undefined
      ? [{ at: needed, message: `is required for a ${group_type} group` }]
      : []),
    ...others.map((at) => ({ at, message: `a ${group_type} group has none` })),
    ...(group_type === "dynamic" ? ruleProblems(line.assignment_rule ?? "") : []),
  ];
}

function ruleProblems(rule: string): readonly LineProblem[] {
  try {
    readAssignmentRule(rule);
    return [];
  } catch (error) {
    if (!(error instanceof FqlSyntaxError)) throw error;
    // A problem is a single line of text. The first line of the message contains the offset.
    return [{ at: "assignment_rule", message: error.message.split("\n", 1)[0] ?? "" }];
  }
}
