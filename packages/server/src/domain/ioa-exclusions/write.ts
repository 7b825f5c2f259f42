import { where } from "@security-platform/fql";
import { errors, type Problem } from "../../foundation/errors.ts";
import { refuseRepeated } from "../../records/distinct.ts";
import { duplicateProblems } from "../../records/duplicates.ts";
import { write, type Writing, type WritingCall } from "../../records/write.ts";
import type { Transaction, WritableRecords } from "../../store/index.ts";
import { hostGroups } from "../../inventory/host-groups.ts";
import { pause } from "../../foundation/work-turns.ts";
import {
  breadthProblems,
  changedExclusion,
  inputProblems,
  newExclusion,
  type ExclusionChanges,
  type ExclusionInput,
  type Place,
} from "./draft.ts";
import { exclusionNoun, exclusions, duplicateKey, type Exclusion } from "./exclusions.ts";

export interface NewItem extends Place {
  readonly input: ExclusionInput;
}

export interface ChangedItem extends Place {
  readonly id: string;
  readonly changes: ExclusionChanges;
}

/** Creates all or none, in the order of the request. Throws a 400 or 409 with every problem. */
export async function createExclusions(
  call: WritingCall,
  items: readonly NewItem[],
): Promise<readonly Exclusion[]> {
  await refuseBadInput(items.map(({ input, ...place }) => ({ place, input })));
  return write(call, async (writing) => {
    const drafts = items.map((item) => ({
      item,
      exclusion: newExclusion(item.input, writing.author),
    }));
    await refuseBadResult(writing, drafts, (item) => item.input.host_groups);
    const records = writing.records(exclusions);
    await records.stored.insert(
      drafts.map(({ exclusion }) => exclusion),
      writing.now,
    );
    for (const { item, exclusion } of drafts) {
      writing.audit([exclusion.id], { comment: item.input.comment });
    }
    return drafts.map(({ exclusion }) => exclusion);
  });
}

/**
 * Changes all or none, in the order of the request. Throws a 400, 404 or 409 with every problem. `refuse`
 * throws for exclusions that the caller's API version cannot change.
 */
export async function updateExclusions(
  call: WritingCall,
  items: readonly ChangedItem[],
  refuse: (stored: readonly Exclusion[]) => void = () => undefined,
): Promise<readonly Exclusion[]> {
  await refuseBadInput(items.map(({ changes, ...place }) => ({ place, input: changes })));
  refuseRepeated(items, "exclusion");
  return write(call, async (writing) => {
    const records = writing.records(exclusions);
    const stored = await records.getForUpdate(
      items.map(({ id }) => id),
      exclusionNoun,
    );
    refuse(stored);
    const drafts = stored.flatMap((exclusion, index) => {
      const item = items[index];
      if (item === undefined) return [];
      return [{ item, exclusion: changedExclusion(exclusion, item.changes, writing.author) }];
    });
    await refuseBadResult(writing, drafts, (item) => item.changes.host_groups);
    await records.stored.replace(
      drafts.map(({ exclusion }) => exclusion),
      writing.now,
    );
    for (const { item, exclusion } of drafts) {
      writing.audit([exclusion.id], { comment: item.changes.comment });
    }
    return drafts.map(({ exclusion }) => exclusion);
  });
}

/** Deletes all or none, and returns the exclusions as they were. Throws a 404 with every unknown id. */
export function deleteExclusions(
  call: WritingCall,
  ids: readonly string[],
  comment: string | undefined,
  refuse: (stored: readonly Exclusion[]) => void = () => undefined,
): Promise<readonly Exclusion[]> {
  return write(call, async (writing) => {
    const records = writing.records(exclusions);
    const stored = await records.getForUpdate(ids, exclusionNoun);
    refuse(stored);
    await records.remove(ids, { comment });
    return stored;
  });
}

/**
 * Removes host groups from all exclusions that name them, and deletes the exclusions that name no other group: they
 * would match on no host. 409 if two exclusions would become the same.
 */
export async function leaveHostGroups(writing: Writing, ids: readonly string[]): Promise<void> {
  const records = writing.records(exclusions);
  const users = await records.stored.findForUpdate(where.anyOf("host_groups", ids), writing.now);
  const keptGroups = ({ host_groups }: Exclusion) => host_groups.filter((id) => !ids.includes(id));
  const emptied = users.filter((exclusion) => keptGroups(exclusion).length === 0);
  const changed = users
    .filter((exclusion) => !emptied.includes(exclusion))
    .map((exclusion) =>
      changedExclusion(exclusion, { host_groups: keptGroups(exclusion) }, writing.author),
    );
  const conflicts = await equalExclusionProblems(
    records.stored,
    changed.map((exclusion) => ({ item: { at: `exclusion ${exclusion.id}` }, exclusion })),
  );
  if (conflicts.length > 0) throw errors.conflict(conflicts);
  await records.replace(changed);
  const comment = "its last host group was deleted";
  if (emptied.length > 0)
    await records.remove(
      emptied.map(({ id }) => id),
      { comment },
    );
}

/** Compiling many expressions takes long, so other requests run in between. */
async function refuseBadInput(
  items: readonly {
    readonly place: Place;
    readonly input: ExclusionInput | ExclusionChanges;
  }[],
): Promise<void> {
  const problems: Problem[] = [];
  for (const { place, input } of items) {
    problems.push(...inputProblems(input, place));
    await pause();
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
}

interface Draft<Item extends Place> {
  readonly item: Item;
  readonly exclusion: Exclusion;
}

async function refuseBadResult<Item extends Place>(
  { transaction, now }: Writing,
  drafts: readonly Draft<Item>[],
  groupsOf: (item: Item) => readonly string[] | undefined,
): Promise<void> {
  const tooBroad = drafts.flatMap(({ item, exclusion }) => breadthProblems(exclusion, item));
  const unknownGroups = await groupProblems(transaction, now, drafts, groupsOf);
  const problems = [...tooBroad, ...unknownGroups];
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const conflicts = await equalExclusionProblems(transaction.records(exclusions), drafts);
  if (conflicts.length > 0) throw errors.conflict(conflicts);
}

/** Problems of host groups that the tenant does not have. */
async function groupProblems<Item extends Place>(
  transaction: Transaction,
  now: Date,
  drafts: readonly Draft<Item>[],
  groupsOf: (item: Item) => readonly string[] | undefined,
): Promise<readonly Problem[]> {
  const ids = new Set(drafts.flatMap(({ item }) => groupsOf(item) ?? []));
  ids.delete("all");
  if (ids.size === 0) return [];
  const groupsById = await transaction.records(hostGroups).get([...ids], now);
  return drafts.flatMap(({ item }) =>
    (groupsOf(item) ?? []).flatMap((id, index) =>
      id === "all" || groupsById.has(id)
        ? []
        : [
            {
              at: `${item.at}.${item.groups}[${index}]`,
              id,
              message: `there is no host group ${id}`,
            },
          ],
    ),
  );
}

function equalExclusionProblems(
  records: WritableRecords<Exclusion>,
  drafts: readonly { readonly item: Pick<Place, "at">; readonly exclusion: Exclusion }[],
): Promise<readonly Problem[]> {
  const placed = drafts.map(({ item: { at }, exclusion }) => ({ at, record: exclusion }));
  const reason = "has the same pattern, expressions and host groups as";
  return duplicateProblems<Exclusion>(placed, {
    keyOf: duplicateKey,
    holders: (keys) => records.findDuplicates(keys),
    problem: ({ at }, rival) =>
      "id" in rival
        ? {
            at,
            id: rival.id,
            message: `${reason} the exclusion ${rival.id}; change that one, or choose different values`,
          }
        : { at, message: `${reason} ${rival.at} of the request; remove one` },
  });
}
