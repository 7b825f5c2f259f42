import { writeAsCommand } from "../records/write.ts";
import type { Store, Transaction } from "../store/index.ts";
import { distinctNames, hostGroup, hostGroups, type HostGroup } from "./host-groups.ts";

/** A change of members that the group does not allow. The message is shown to users. */
export class HostGroupError extends Error {
  override readonly name = "HostGroupError";
}

/** A change to the list of members. */
export type MembersChange = (members: readonly string[]) => readonly string[];

/**
 * Replaces the members of a static group: device ids for a `staticByID` group, host names for a `static` one.
 * Recorded in the audit trail. Throws `HostGroupError` if the group is dynamic or does not exist.
 */
export const setHostGroupMembers = (
  store: Store,
  cid: string,
  groupId: string,
  members: readonly string[],
  now: Date,
): Promise<HostGroup> =>
  writeAsCommand({ store, cid, name: "host-groups set", now }, async (writing) => {
    const { transaction, author } = writing;
    const group = await changeHostGroupMembers(transaction, groupId, () => members, author);
    writing.audit([group.id]);
    return group;
  });

/** Like `setHostGroupMembers`, inside a transaction. */
export async function changeHostGroupMembers(
  transaction: Transaction,
  groupId: string,
  change: MembersChange,
  { now, actor }: { readonly now: Date; readonly actor: string },
): Promise<HostGroup> {
  const groups = transaction.records(hostGroups);
  const before = (await groups.getForUpdate([groupId])).get(groupId);
  if (before === undefined) throw new HostGroupError(`there is no host group ${groupId}`);
  const after = hostGroup({
    ...before,
    ...changedList(before, change),
    modified_by: actor,
    modified_timestamp: now.toISOString(),
  });
  await groups.replace([after], now);
  return after;
}

function changedList(
  { name, group_type, device_ids = [], hostnames = [] }: HostGroup,
  change: MembersChange,
): Pick<HostGroup, "device_ids" | "hostnames"> {
  switch (group_type) {
    case "staticByID":
      return { device_ids: [...new Set(change(device_ids))] };
    case "static":
      return { hostnames: distinctNames(change(hostnames)) };
    case "dynamic":
      throw new HostGroupError(`${name} is a dynamic group; its rule selects the hosts`);
  }
}
