import { errors, type Problem } from "../../errors.ts";
import type { WritingCall } from "../../records/audit.ts";
import { refuseRepeated } from "../../records/distinct.ts";
import { duplicateProblems } from "../../records/duplicates.ts";
import { takeRecords } from "../../records/take.ts";
import type { Transaction, WritableRecords } from "../../store/types.ts";
import { hostGroups } from "../../inventory/host-groups.ts";
import { pauses } from "./pauses.ts";
import {
  breadthProblems,
  changedExclusion,
  inputProblems,
  newExclusion,
  type ExclusionChanges,
  type ExclusionInput,
  type Place,
} from "./draft.ts";
import { exclusionNoun, exclusions, likenessOf, type Exclusion } from "./exclusions.ts";

export interface NewItem extends Place {
  readonly input: ExclusionInput;
}

export interface ChangedItem extends Place {
  readonly id: string;
  readonly changes: ExclusionChanges;
}

/** Creates all or none, in the order given; 400 and 409 with everything that is wrong. */
export async function createExclusions(
  call: WritingCall,
  items: readonly NewItem[],
): Promise<readonly Exclusion[]> {
  await refuseBadInput(items.map(({ input, ...place }) => ({ place, input })));
  const authorship = { actor: call.caller.clientId, now: call.now };
  const made = items.map((item) => ({ item, exclusion: newExclusion(item.input, authorship) }));
  return call.context.store.write(call.caller.cid, async (transaction) => {
    await refuseBadResult(transaction, call.now, made, (item) => item.input.host_groups);
    const created = made.map(({ exclusion }) => exclusion);
    await transaction.records(exclusions).insert(created, call.now);
    const comments = items.map(({ input }) => input.comment ?? null);
    await auditEach(call, transaction, created, comments);
    return created;
  });
}

/**
 * Changes all or none, in the order given; 400, 404 and 409 with everything that is wrong. `allowed`
 * throws for exclusions that the caller's version cannot change.
 */
export async function updateExclusions(
  call: WritingCall,
  items: readonly ChangedItem[],
  allowed: (stored: readonly Exclusion[]) => void = () => undefined,
): Promise<readonly Exclusion[]> {
  await refuseBadInput(items.map(({ changes, ...place }) => ({ place, input: changes })));
  refuseRepeated(items, "exclusion");
  const authorship = { actor: call.caller.clientId, now: call.now };
  return call.context.store.write(call.caller.cid, async (transaction) => {
    const records = transaction.records(exclusions);
    const stored = await takeRecords(
      records,
      exclusionNoun,
      items.map(({ id }) => id),
    );
    allowed(stored);
    const made = stored.flatMap((exclusion, index) => {
      const item = items[index];
      return item === undefined
        ? []
        : [{ item, exclusion: changedExclusion(exclusion, item.changes, authorship) }];
    });
    await refuseBadResult(transaction, call.now, made, (item) => item.changes.host_groups);
    const changed = made.map(({ exclusion }) => exclusion);
    await records.replace(changed, call.now);
    const comments = items.map(({ changes }) => changes.comment ?? null);
    await auditEach(call, transaction, changed, comments);
    return changed;
  });
}

/** Deletes all or none, and gives them as they were; 404 with every id that names none. */
export function deleteExclusions(
  call: WritingCall,
  ids: readonly string[],
  comment: string | undefined,
  allowed: (stored: readonly Exclusion[]) => void = () => undefined,
): Promise<readonly Exclusion[]> {
  return call.context.store.write(call.caller.cid, async (transaction) => {
    const records = transaction.records(exclusions);
    const stored = await takeRecords(records, exclusionNoun, ids);
    allowed(stored);
    await records.remove(ids, call.now);
    await auditEach(
      call,
      transaction,
      stored,
      stored.map(() => comment ?? null),
    );
    return stored;
  });
}

/** Compiling many expressions takes its time, in which others have their turn. */
async function refuseBadInput(
  items: readonly {
    readonly place: Place;
    readonly input: ExclusionInput | ExclusionChanges;
  }[],
): Promise<void> {
  const problems: Problem[] = [];
  const pause = pauses();
  for (const { place, input } of items) {
    problems.push(...inputProblems(input, place));
    // oxlint-disable-next-line no-await-in-loop -- that is what it is for
    await pause();
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
}

interface Made<Item extends Place> {
  readonly item: Item;
  readonly exclusion: Exclusion;
}

async function refuseBadResult<Item extends Place>(
  transaction: Transaction,
  now: Date,
  made: readonly Made<Item>[],
  groupsOf: (item: Item) => readonly string[] | undefined,
): Promise<void> {
  const broad = made.flatMap(({ item, exclusion }) => breadthProblems(exclusion, item));
  const unknown = await groupProblems(transaction, now, made, groupsOf);
  const problems = [...broad, ...unknown];
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const alike = await likenessProblems(transaction.records(exclusions), made);
  if (alike.length > 0) throw errors.conflict(alike);
}

/** Host groups that a request names and the tenant does not have; those of others are unknown, too. */
async function groupProblems<Item extends Place>(
  transaction: Transaction,
  now: Date,
  made: readonly Made<Item>[],
  groupsOf: (item: Item) => readonly string[] | undefined,
): Promise<readonly Problem[]> {
  const wanted = new Set(made.flatMap(({ item }) => groupsOf(item) ?? []));
  wanted.delete("all");
  if (wanted.size === 0) return [];
  const known = await transaction.records(hostGroups).get([...wanted], now);
  return made.flatMap(({ item }) =>
    (groupsOf(item) ?? []).flatMap((id, index) =>
      id === "all" || known.has(id)
        ? []
        : [{ at: `${item.at}.${item.groups}[${index}]`, id, message: `no host group ${id}` }],
    ),
  );
}

function likenessProblems<Item extends Place>(
  records: WritableRecords<Exclusion>,
  made: readonly Made<Item>[],
): Promise<readonly Problem[]> {
  const placed = made.map(({ item: { at }, exclusion }) => ({ at, record: exclusion }));
  const what = "is alike in pattern, expressions and host groups to";
  return duplicateProblems<Exclusion>(placed, {
    keyOf: likenessOf,
    holders: (keys) => records.findDuplicates(keys),
    problem: ({ at }, rival) =>
      "id" in rival
        ? {
            at,
            id: rival.id,
            message: `${what} the exclusion ${rival.id}; change that one, or tell them apart`,
          }
        : { at, message: `${what} ${rival.at} of the request; remove one` },
  });
}

/** One entry of the audit trail for each comment, as every exclusion may have its own. */
async function auditEach(
  { operation, caller, now, traceId }: WritingCall,
  transaction: Transaction,
  written: readonly Exclusion[],
  comments: readonly (string | null)[],
): Promise<void> {
  const idsByComment = new Map<string | null, string[]>();
  for (const [index, { id }] of written.entries()) {
    const comment = comments[index] || null;
    idsByComment.set(comment, [...(idsByComment.get(comment) ?? []), id]);
  }
  for (const [comment, ids] of idsByComment) {
    // oxlint-disable-next-line no-await-in-loop -- in the order of the request
    await transaction.audit({
      at: now,
      actor: caller.clientId,
      operation: operation.id,
      trace_id: traceId,
      comment,
      ids,
    });
  }
}
