import { foldCase, type Predicate } from "@security-platform/fql";
import { errors, type Problem } from "../../foundation/errors.ts";
import {
  distinctNames,
  hostGroup,
  hostGroupNoun,
  hostGroups,
  type HostGroup,
} from "../../inventory/host-groups.ts";
import { hosts } from "../../inventory/hosts.ts";
import type { Writing } from "../../records/write.ts";
import type { RecordText } from "../../store/index.ts";
import { maximumMembers } from "./host-group-rules.ts";

/** An action on host groups, and the predicate that selects the hosts. */
export interface GroupAction {
  readonly name: "add-hosts" | "remove-hosts";
  readonly hosts: Predicate;
  /**
   * True: hosts without a name are left out of groups that list hosts by name. False: such hosts cause a
   * 409.
   */
  readonly skipsNameless: boolean;
}

interface Matches {
  readonly device_ids: readonly string[];
  readonly hostnames: readonly string[];
  /** Device ids of hosts without a name. */
  readonly nameless: readonly string[];
}

/** Changes the host lists of static groups, all or none. Returns the groups in the order of `ids`. */
export async function actOnHostGroups(
  writing: Writing,
  ids: readonly string[],
  action: GroupAction,
): Promise<readonly RecordText[]> {
  const records = writing.records(hostGroups);
  const groups = await records.getForUpdate(ids, hostGroupNoun);
  const dynamic = groups.filter(({ group_type }) => group_type === "dynamic");
  if (dynamic.length > 0) throw errors.conflict(dynamic.map(dynamicProblem));
  const matches = await matchesOf(writing, action.hosts);
  const after = groups.map((group) => changed(group, action, matches));
  const problems =
    action.name === "add-hosts" ? after.flatMap((group) => problemsOf(group, action, matches)) : [];
  if (problems.length > 0) throw errors.conflict(problems);
  const { actor, now } = writing.author;
  await records.replace(
    after
      .filter(({ fingerprint }, index) => fingerprint !== groups[index]?.fingerprint)
      .map((group) => ({ ...group, modified_by: actor, modified_timestamp: now.toISOString() })),
  );
  const texts = await records.stored.get(ids, now);
  return ids.flatMap((id) => texts.get(id) ?? []);
}

async function matchesOf({ transaction, now }: Writing, predicate: Predicate): Promise<Matches> {
  const device_ids: string[] = [];
  const hostnames: string[] = [];
  const nameless: string[] = [];
  for await (const batch of transaction.records(hosts).scanComplete(predicate, now)) {
    for (const { device_id, hostname } of batch) {
      device_ids.push(device_id);
      if (hostname === undefined) nameless.push(device_id);
      else hostnames.push(hostname);
    }
  }
  return { device_ids, hostnames, nameless };
}

function changed(group: HostGroup, { name }: GroupAction, matches: Matches): HostGroup {
  const { group_type, device_ids = [], hostnames = [] } = group;
  if (group_type === "staticByID") {
    const named = new Set(matches.device_ids);
    const list =
      name === "add-hosts"
        ? [...new Set([...device_ids, ...named])]
        : device_ids.filter((id) => !named.has(id));
    return hostGroup({ ...group, device_ids: list });
  }
  const named = new Set(matches.hostnames.map(foldCase));
  const others = hostnames.filter((hostname) => !named.has(foldCase(hostname)));
  const foldedHostnames = new Set(hostnames.map(foldCase));
  const added = distinctNames(matches.hostnames).filter(
    (each) => !foldedHostnames.has(foldCase(each)),
  );
  return hostGroup({
    ...group,
    hostnames: name === "add-hosts" ? [...hostnames, ...added] : others,
  });
}

function problemsOf(
  { id, name, group_type, device_ids = [], hostnames = [] }: HostGroup,
  { skipsNameless }: GroupAction,
  { nameless }: Matches,
): readonly Problem[] {
  const size = device_ids.length + hostnames.length;
  if (size > maximumMembers) {
    const message = `the ${hostGroupNoun} ${id}, ${name}, would have ${size} hosts; it can have ${maximumMembers}`;
    return [{ at: "", id, message }];
  }
  if (group_type !== "static" || skipsNameless) return [];
  return nameless.map((device) => ({
    at: "",
    id: device,
    message: `the host ${device} has no name, and the ${hostGroupNoun} ${id}, ${name}, lists hosts by name; send disable_hostname_check=true to skip such hosts`,
  }));
}

const dynamicProblem = ({ id, name }: HostGroup): Problem => ({
  at: "",
  id,
  message: `the ${hostGroupNoun} ${id}, ${name}, is dynamic: its assignment_rule selects the hosts; change the rule instead`,
});
