import { errors, type Problem } from "../../foundation/errors.ts";
import { pause } from "../../foundation/work-turns.ts";
import type { RecordText } from "../../store/index.ts";
import { refuseRepeated } from "../distinct.ts";
import { authorOf, write, type Author, type Writing, type WritingCall } from "../write.ts";
import type { CreatableKind, Kind, PlainKind, PlainRecord, Use, PlacedChange } from "./kind.ts";
import { isDeleted, isLive } from "./members.ts";
import { refuseBadReferences, settleMirrors } from "./references.ts";
import { uniqueProblems } from "./unique.ts";
import { useProblems } from "./uses.ts";

/** The input for a new record, and its place in the request. */
export interface NewItem<Input> {
  readonly at: string;
  readonly input: Input;
}

export interface ChangedItem<Changes> {
  readonly at: string;
  readonly id: string;
  readonly changes: Changes;
}

/** Creates all or none, in the order of the request. Throws the documented errors for invalid items. */
export async function createRecords<Record extends PlainRecord, Input>(
  call: WritingCall,
  kind: CreatableKind<Record, Input>,
  items: readonly NewItem<Input>[],
): Promise<readonly RecordText[]> {
  const drafts = await newDrafts(kind, items, authorOf(call));
  return write(call, (writing) => insertDrafts(writing, kind, drafts));
}

/** Like `createRecords`, inside a running write. */
export const createWithin = async <Record extends PlainRecord, Input>(
  writing: Writing,
  kind: CreatableKind<Record, Input>,
  items: readonly NewItem<Input>[],
): Promise<readonly RecordText[]> =>
  insertDrafts(writing, kind, await newDrafts(kind, items, writing.author));

interface Draft<Record, Input> {
  readonly planned: PlacedChange<Record>;
  readonly input: Input;
}

async function newDrafts<Record extends PlainRecord, Input>(
  kind: CreatableKind<Record, Input>,
  items: readonly NewItem<Input>[],
  author: Author,
): Promise<readonly Draft<Record, Input>[]> {
  const drafts: Draft<Record, Input>[] = [];
  for (const { at, input } of items) {
    drafts.push({ planned: { at, before: null, after: kind.make(input, author) }, input });
    await pause();
  }
  await refuseBadMembers(kind, drafts);
  return drafts;
}

async function insertDrafts<Record extends PlainRecord, Input>(
  writing: Writing,
  kind: CreatableKind<Record, Input>,
  drafts: readonly Draft<Record, Input>[],
): Promise<readonly RecordText[]> {
  await refuseTooMany(writing, kind, drafts);
  const finished = await finish(
    writing,
    kind,
    drafts.map(({ planned }) => planned),
  );
  const texts = await writing.records(kind.resource).insert(finished.map(({ after }) => after));
  await settleMirrors(writing.transaction, finished, kind.references ?? [], writing.now);
  return texts;
}

/** Changes all or none, in the order of the request. Throws the documented errors for invalid changes. */
export async function changeRecords<Record extends PlainRecord, Input, Changes>(
  call: WritingCall,
  kind: PlainKind<Record, Input, Changes>,
  items: readonly ChangedItem<Changes>[],
): Promise<readonly RecordText[]> {
  refuseRepeated(items, kind.noun);
  return write(call, (writing) => changeWithin(writing, kind, items));
}

/** Like `changeRecords`, inside a running write. The ids must be distinct. */
export async function changeWithin<Record extends PlainRecord, Input, Changes>(
  writing: Writing,
  kind: PlainKind<Record, Input, Changes>,
  items: readonly ChangedItem<Changes>[],
): Promise<readonly RecordText[]> {
  const records = writing.records(kind.resource);
  const stored = await records.getForUpdate(
    items.map(({ id }) => id),
    kind.noun,
  );
  refusePredefined(kind, stored);
  refuseDeleted(kind, stored);
  const drafts: Draft<Record, Input | Changes>[] = [];
  for (const [index, before] of stored.entries()) {
    const item = items[index];
    if (item === undefined) continue;
    const after = kind.change(before, item.changes, writing.author);
    drafts.push({ planned: { at: item.at, before, after }, input: item.changes });
    await pause();
  }
  await refuseBadMembers(kind, drafts);
  const finished = await finish(
    writing,
    kind,
    drafts.map(({ planned }) => planned),
  );
  const texts = await records.replace(finished.map(({ after }) => after));
  await settleMirrors(writing.transaction, finished, kind.references ?? [], writing.now);
  return texts;
}

/**
 * Deletes all or none. Returns the records in their deleted form or, if they were removed, in their previous
 * form. 409 for records that `uses` finds in use.
 */
export async function deleteRecords<Record extends PlainRecord, Input>(
  call: WritingCall,
  kind: CreatableKind<Record, Input>,
  requestedIds: readonly string[],
  uses: readonly Use<Record>[] = [],
): Promise<readonly RecordText[]> {
  return write(call, (writing) => deleteWithin(writing, kind, requestedIds, uses));
}

/** Like `deleteRecords`, inside a running write. */
export async function deleteWithin<Record extends PlainRecord, Input>(
  writing: Writing,
  kind: CreatableKind<Record, Input>,
  requestedIds: readonly string[],
  uses: readonly Use<Record>[] = [],
): Promise<readonly RecordText[]> {
  const ids = [...new Set(requestedIds)];
  const { transaction, now } = writing;
  const records = writing.records(kind.resource);
  const stored = await records.getForUpdate(ids, kind.noun);
  refusePredefined(kind, stored);
  const live = stored.filter((record) => !isDeleted(record));
  const conflicts = await useProblems(transaction, kind, live, uses, now);
  if (conflicts.length > 0) throw errors.conflict(conflicts);
  const before = await records.stored.get(ids, now);
  const { retire } = kind;
  if (retire === undefined) {
    await records.remove(live.map(({ id }) => id));
    return ids.flatMap((id) => before.get(id) ?? []);
  }
  const retired = live.map((record) => ({
    at: "",
    before: record,
    after: retire.call(kind, record, now),
  }));
  await records.replace(retired.map(({ after }) => after));
  await settleMirrors(transaction, retired, kind.references ?? [], now);
  const after = await records.stored.get(ids, now);
  return ids.flatMap((id) => after.get(id) ?? []);
}

async function refuseTooMany<Record extends PlainRecord, Input>(
  { transaction, now }: Writing,
  { resource, noun, maximum }: CreatableKind<Record, Input>,
  drafts: readonly Draft<Record, Input>[],
): Promise<void> {
  if (maximum === undefined) return;
  const count = await transaction.records(resource).count(isLive(resource), now);
  const first = drafts[maximum - count]?.planned;
  if (first === undefined) return;
  const message = `the tenant has ${count} records of the kind ${noun}, the maximum is ${maximum}; delete some first`;
  throw errors.invalidRequest([{ at: first.at, message }]);
}

async function refuseBadMembers<Record extends PlainRecord, Input>(
  kind: Pick<CreatableKind<Record, Input>, "problems">,
  drafts: readonly Draft<Record, Input>[],
): Promise<void> {
  const problems: Problem[] = [];
  for (const { planned, input } of drafts) {
    for (const problem of kind.problems?.(planned, input) ?? []) problems.push(problem);
    await pause();
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
}

/** The records to store, after the checks against other records. */
async function finish<Record extends PlainRecord, Input>(
  { transaction, now }: Writing,
  kind: CreatableKind<Record, Input>,
  planned: readonly PlacedChange<Record>[],
): Promise<readonly PlacedChange<Record>[]> {
  await refuseBadReferences(transaction, planned, kind.references ?? []);
  const conflicts = [
    ...(await uniqueProblems(transaction.records(kind.resource), kind, planned, now)),
    ...((await kind.conflicts?.(transaction, planned, now)) ?? []),
  ];
  if (conflicts.length > 0) throw errors.conflict(conflicts);
  if (kind.finish === undefined) return planned;
  const finished: PlacedChange<Record>[] = [];
  for (const each of planned) {
    finished.push({ ...each, after: await kind.finish(transaction, each, now) });
  }
  return finished;
}

function refusePredefined<Record extends PlainRecord>(
  kind: Kind<Record>,
  stored: readonly Record[],
): void {
  const problems = stored.flatMap((record) => {
    if (kind.isPredefined?.(record) !== true) return [];
    const message = `the ${kind.noun} ${record.id}, ${record.name}, is built in and read-only`;
    return [{ at: "", id: record.id, message }];
  });
  if (problems.length > 0) throw errors.readOnly(problems);
}

function refuseDeleted<Record extends PlainRecord>(
  { noun }: Kind<Record>,
  stored: readonly Record[],
): void {
  const problems = stored.filter(isDeleted).map(({ id }) => ({
    at: "",
    id,
    message: `the ${noun} ${id} is deleted and cannot be changed; create a new one`,
  }));
  if (problems.length > 0) throw errors.conflict(problems);
}
