import { compareCodePoints, foldCase, where } from "@security-platform/fql";
import type { Clock } from "../foundation/clock.ts";
import type { Store, Transaction } from "../store/index.ts";
import { groupCeiling } from "./group-rules.ts";
import { hostGroups, type HostGroup } from "./host-groups.ts";
import { hosts, type Host } from "./hosts.ts";
import { writeAsCommand } from "../records/write.ts";
import { changeHostGroupMembers, HostGroupError } from "./set-members.ts";

/** A host group with its current number of hosts. */
export interface CountedHostGroup extends Pick<
  HostGroup,
  "id" | "name" | "group_type" | "description"
> {
  readonly hosts: number;
}

/** The tenant's host groups by name. */
export async function listHostGroups(
  store: Store,
  clock: Clock,
  cid: string,
): Promise<readonly CountedHostGroup[]> {
  const now = clock.now();
  const counts = await countsByGroup(store, cid, now);
  const groups: CountedHostGroup[] = [];
  for await (const part of store.records(hostGroups, { cid }).scanComplete(where.everything, now)) {
    for (const { id, name, group_type, description } of part) {
      groups.push({ id, name, group_type, description, hosts: counts.get(id) ?? 0 });
    }
  }
  return groups.toSorted((left, right) =>
    compareCodePoints(foldCase(left.name), foldCase(right.name)),
  );
}

/** Number of hosts by group; groups without hosts are absent. */
async function countsByGroup(
  store: Store,
  cid: string,
  now: Date,
): Promise<ReadonlyMap<unknown, number>> {
  const { facets } = await store.records(hosts, { cid }).facets.groups("groups", where.everything, {
    now,
    limit: groupCeiling,
    order: "value",
    direction: "asc",
  });
  return new Map(facets.map(({ value, count }) => [value, count]));
}

export interface MembersEdit {
  readonly cid: string;
  /** Id or name, in any case. */
  readonly group: string;
  readonly action: "add" | "remove";
  /** The hosts, by device id or host name. */
  readonly hosts: readonly string[];
}

/**
 * Adds hosts to a static group or removes them, and records it in the audit trail. Throws
 * `HostGroupError` for an unknown group or host, and for a dynamic group.
 */
export function editHostGroupMembers(
  store: Store,
  clock: Clock,
  { cid, group: named, action, hosts: hostNames }: MembersEdit,
): Promise<HostGroup> {
  const now = clock.now();
  const command = { store, cid, name: `host-groups ${action}`, now };
  return writeAsCommand(command, async (writing) => {
    const { transaction, author } = writing;
    const group = await groupNamed(transaction, named);
    const namedHosts = await hostsNamed(transaction, hostNames, now);
    const changed = new Set(namedHosts.map((host) => memberText(group, host)));
    const after = await changeHostGroupMembers(
      transaction,
      group.id,
      (members) => {
        const others = members.filter((member) => !changed.has(comparable(group, member)));
        return action === "add" ? [...others, ...changed] : others;
      },
      author,
    );
    writing.audit([group.id, ...namedHosts.map(({ device_id }) => device_id)]);
    return after;
  });
}

/** The host as the group lists it: by id or by name. */
function memberText({ name, group_type }: HostGroup, { device_id, hostname }: Host): string {
  if (group_type !== "static") return device_id;
  if (hostname !== undefined) return foldCase(hostname);
  throw new HostGroupError(`${device_id} has no name, and ${name} lists hosts by name`);
}

const comparable = ({ group_type }: HostGroup, member: string): string =>
  group_type === "static" ? foldCase(member) : member;

async function groupNamed(transaction: Transaction, named: string): Promise<HostGroup> {
  const groups = transaction.records(hostGroups);
  const id = (await groups.findDuplicates([foldCase(named)])).get(foldCase(named)) ?? named;
  const group = (await groups.getForUpdate([id])).get(id);
  if (group !== undefined) return group;
  throw new HostGroupError(`there is no host group ${JSON.stringify(named)}`);
}

async function hostsNamed(
  transaction: Transaction,
  names: readonly string[],
  now: Date,
): Promise<readonly Host[]> {
  const records = transaction.records(hosts);
  const byId = await records.getForUpdate([...new Set(names)]);
  const namedHosts: Host[] = [];
  for (const each of new Set(names)) {
    const host = byId.get(each);
    namedHosts.push(host ?? (await hostNamed(transaction, each, now)));
  }
  return namedHosts;
}

async function hostNamed(transaction: Transaction, name: string, now: Date): Promise<Host> {
  const isNamed = where.equalFolded("hostname", name);
  const [host, ...others] = await transaction.records(hosts).findForUpdate(isNamed, now);
  if (host === undefined) {
    throw new HostGroupError(`there is no host with the id or name ${JSON.stringify(name)}`);
  }
  if (others.length === 0) return host;
  const ids = [host, ...others].map(({ device_id }) => device_id).join(", ");
  throw new HostGroupError(
    `${others.length + 1} hosts are named ${JSON.stringify(name)}; use an id: ${ids}`,
  );
}
