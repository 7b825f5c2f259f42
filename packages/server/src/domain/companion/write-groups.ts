import { foldCase, where } from "@security-platform/fql";
import { errors, type Problem } from "../../foundation/errors.ts";
import { newIdentifier } from "../../foundation/identifiers.ts";
import { defined } from "../../records/defined.ts";
import { refuseRepeated } from "../../records/distinct.ts";
import { duplicateProblems } from "../../records/duplicates.ts";
import { write, type Writing } from "../../records/write.ts";
import { platformCid } from "../../store/index.ts";
import type { Group, GroupCall, GroupKind, GroupMembers, GroupTexts } from "./group-kind.ts";

/** Maximum number of groups of one kind per tenant. */
const mostGroups = 500;

const placeOf = (index: number): string => `body.resources[${index}]`;

/** Creates all or none. 409 for a name that the tenant already uses, 400 for too many groups. */
export const createGroups = <Record extends Group>(
  call: GroupCall,
  kind: GroupKind<Record>,
  inputs: readonly (GroupTexts & { readonly name: string })[],
): Promise<readonly Record[]> =>
  change(call, async (writing) => {
    const { cid } = call.caller;
    const existing = await groupsOf(writing, kind, cid);
    const first = Math.max(0, mostGroups - existing.length);
    if (inputs.length > first) {
      const message = `the tenant has ${existing.length} ${kind.noun}s, of at most ${mostGroups}; delete some first`;
      throw errors.invalidRequest([{ at: placeOf(first), message }]);
    }
    const groups = inputs.map(({ name, description }) =>
      kind.make({ id: newIdentifier(), cid, name, ...defined({ description }) }),
    );
    await refuseSameNames(kind, existing, groups);
    await writing.records(kind.resource).insert(groups);
    return groups;
  });

/** Changes names and descriptions, all or none. */
export const updateGroups = <Record extends Group>(
  call: GroupCall,
  kind: GroupKind<Record>,
  changes: readonly (GroupTexts & { readonly id: string })[],
): Promise<readonly Record[]> =>
  change(call, async (writing) => {
    const groups = await lockChangedGroups(call, writing, kind, changes);
    const after = groups.map((group, index) => {
      const { name, description } = changes[index] ?? {};
      return { ...group, ...defined({ name, description }), ...modifiedAt(writing) };
    });
    await refuseSameNames(kind, await groupsOf(writing, kind, call.caller.cid), after);
    await writing.records(kind.resource).replace(after);
    return after;
  });

/** Removes all or none. Members lose the roles that the groups grant. */
export const deleteGroups = <Record extends Group>(
  call: GroupCall,
  kind: GroupKind<Record>,
  requestedIds: readonly string[],
): Promise<readonly string[]> =>
  change(call, async (writing) => {
    const ids = [...new Set(requestedIds)];
    const groups = await lockGroups(call, writing, kind, ids);
    await kind.release?.(writing, groups);
    await writing.records(kind.resource).remove(ids);
    return ids;
  });

/** Adds members, all or none. */
export const addMembers = <Record extends Group>(
  call: GroupCall,
  kind: GroupKind<Record>,
  items: readonly GroupMembers[],
): Promise<readonly Record[]> =>
  change(call, async (writing) => {
    const groups = await lockChangedGroups(call, writing, kind, items);
    const places = new Map<string, string>();
    for (const [index, { members }] of items.entries()) {
      for (const [position, member] of members.entries()) {
        places.set(member, `${placeOf(index)}.${kind.wire.members}[${position}]`);
      }
    }
    const problems: Problem[] = [...(await kind.unknownMembers(call, writing, places))];
    const after = groups.map((group, index) => {
      const members = [...new Set([...kind.members(group), ...(items[index]?.members ?? [])])];
      if (members.length > kind.largest) {
        const message = `the ${kind.noun} ${group.id} would have ${members.length} members; it can have ${kind.largest}`;
        problems.push({ at: `${placeOf(index)}.${kind.wire.members}`, id: group.id, message });
      }
      return { ...kind.withMembers(group, members), ...modifiedAt(writing) };
    });
    if (problems.length > 0) throw errors.invalidRequest(problems);
    return replaceChanged(writing, kind, groups, after);
  });

/** Removes members, all or none. */
export const removeMembers = <Record extends Group>(
  call: GroupCall,
  kind: GroupKind<Record>,
  items: readonly GroupMembers[],
): Promise<readonly Record[]> =>
  change(call, async (writing) => {
    const groups = await lockChangedGroups(call, writing, kind, items);
    const after = groups.map((group, index) => {
      const removed = new Set(items[index]?.members);
      const members = kind.members(group).filter((member) => !removed.has(member));
      return { ...kind.withMembers(group, members), ...modifiedAt(writing) };
    });
    return replaceChanged(writing, kind, groups, after);
  });

/** The groups are stored with the platform, because their members may belong to several tenants. */
const change = <Result>(
  call: GroupCall,
  work: (writing: Writing) => Promise<Result>,
): Promise<Result> => write(call, work, platformCid);

const modifiedAt = ({ now }: Writing) => ({ last_modified_timestamp: now.toISOString() });

/** Like `lockGroups`. 400 if two changes concern one group. */
function lockChangedGroups<Record extends Group>(
  call: GroupCall,
  writing: Writing,
  kind: GroupKind<Record>,
  changes: readonly { readonly id: string }[],
): Promise<readonly Record[]> {
  const ids = changes.map(({ id }) => id);
  refuseRepeated(
    ids.map((id, index) => ({ id, at: placeOf(index) })),
    kind.noun,
  );
  return lockGroups(call, writing, kind, ids);
}

const groupsOf = <Record extends Group>(
  { transaction, now }: Writing,
  { resource }: GroupKind<Record>,
  cid: string,
): Promise<readonly Record[]> =>
  transaction.records(resource).findForUpdate(where.equal("cid", cid), now);

/** Locks and returns the tenant's groups. 404 for unknown groups and for groups of other tenants. */
async function lockGroups<Record extends Group>(
  { caller }: GroupCall,
  { transaction }: Writing,
  { resource, noun }: GroupKind<Record>,
  ids: readonly string[],
): Promise<readonly Record[]> {
  const groupsById = await transaction.records(resource).getForUpdate([...new Set(ids)]);
  const missing = ids.filter((id) => groupsById.get(id)?.cid !== caller.cid);
  if (missing.length > 0) throw errors.recordsNotFound(noun, missing);
  return ids.flatMap((id) => groupsById.get(id) ?? []);
}

async function refuseSameNames<Record extends Group>(
  { noun }: GroupKind<Record>,
  existing: readonly Record[],
  groups: readonly Record[],
): Promise<void> {
  const holders = new Map(existing.map(({ id, name }) => [foldCase(name), id]));
  const placed = groups.map((record, index) => ({ at: placeOf(index), record }));
  const problems = await duplicateProblems(placed, {
    keyOf: ({ name }) => foldCase(name),
    holders: async () => holders,
    problem: ({ at, record: { name } }, rival) =>
      "id" in rival
        ? {
            at: `${at}.name`,
            id: rival.id,
            message: `the ${noun} ${rival.id} already has ${name}; choose another one, or change that ${noun}`,
          }
        : { at: `${at}.name`, message: `${rival.at} has ${name} already` },
  });
  if (problems.length > 0) throw errors.conflict(problems);
}

/** Writes only the groups whose members changed; the others keep their modification time. */
async function replaceChanged<Record extends Group>(
  writing: Writing,
  { resource, members }: GroupKind<Record>,
  before: readonly Record[],
  after: readonly Record[],
): Promise<readonly Record[]> {
  const result = after.map((group, index) => {
    const old = before[index];
    return old !== undefined && members(old).join() === members(group).join() ? old : group;
  });
  await writing.records(resource).replace(result.filter((group) => !before.includes(group)));
  return result;
}
