import { errors, type Problem } from "../../errors.ts";
import type { Answer } from "../../answer.ts";
import type { Transaction, WritableRecords } from "../../store/types.ts";
import { auditEntry, type WritingCall } from "../audit.ts";
import { refuseRepeated } from "../distinct.ts";
import { takeRecords } from "../take.ts";
import type { Authorship, Kind, PlainKind, PlainRecord, Use, Wanted } from "./kind.ts";
import { isDeleted } from "./members.ts";
import { refuseBadReferences, settleMirrors } from "./references.ts";
import { uniqueProblems } from "./unique.ts";
import { useProblems } from "./uses.ts";

/** A new record, and the place in the request that describes it. */
export interface NewItem<Input> {
  readonly at: string;
  readonly input: Input;
}

export interface ChangedItem<Changes> {
  readonly at: string;
  readonly id: string;
  readonly changes: Changes;
}

const authorshipOf = ({ caller, now }: WritingCall): Authorship => ({
  cid: caller.cid,
  actor: caller.clientId,
  now,
});

/** Creates all or none, in the order given; throws all that the document says of bad ones. */
export async function createRecords<Record extends PlainRecord, Input, Changes>(
  call: WritingCall,
  kind: PlainKind<Record, Input, Changes>,
  items: readonly NewItem<Input>[],
): Promise<Answer> {
  const authorship = authorshipOf(call);
  const drafts = items.map(({ at, input }) => ({
    wanted: { at, before: null, after: kind.make(input, authorship) },
    given: input,
  }));
  refuseBadMembers(kind, drafts);
  const texts = await call.context.store.write(call.caller.cid, async (transaction) => {
    const records = transaction.records(kind.resource);
    const wanted = drafts.map((draft) => draft.wanted);
    const finished = await finish(transaction, records, kind, wanted, call.now);
    const created = finished.map(({ after }) => after);
    const stored = await records.insert(created, call.now);
    await settleMirrors(transaction, finished, kind.references ?? [], call.now);
    await audit(call, transaction, created);
    return stored;
  });
  return { kind: "records", records: texts };
}

/** Changes all or none, in the order given; throws all that the document says of bad changes. */
export async function changeRecords<Record extends PlainRecord, Input, Changes>(
  call: WritingCall,
  kind: PlainKind<Record, Input, Changes>,
  items: readonly ChangedItem<Changes>[],
): Promise<Answer> {
  refuseRepeated(items, kind.noun);
  const authorship = authorshipOf(call);
  const texts = await call.context.store.write(call.caller.cid, async (transaction) => {
    const records = transaction.records(kind.resource);
    const ids = items.map(({ id }) => id);
    const stored = await takeRecords(records, kind.noun, ids);
    refusePredefined(kind, stored);
    refuseDeleted(kind, stored);
    const drafts = stored.flatMap((before, index) => {
      const item = items[index];
      if (item === undefined) return [];
      const after = kind.change(before, item.changes, authorship);
      return [{ wanted: { at: item.at, before, after }, given: item.changes }];
    });
    refuseBadMembers(kind, drafts);
    const wanted = drafts.map((draft) => draft.wanted);
    const finished = await finish(transaction, records, kind, wanted, call.now);
    const changed = finished.map(({ after }) => after);
    const replaced = await records.replace(changed, call.now);
    await settleMirrors(transaction, finished, kind.references ?? [], call.now);
    await audit(call, transaction, changed);
    return replaced;
  });
  return { kind: "records", records: texts };
}

/**
 * Deletes all or none, and answers with the records as they are now, or as they were where nothing
 * stays of them. `uses` are the records that may stand against it.
 */
export async function deleteRecords<Record extends PlainRecord, Input, Changes>(
  call: WritingCall,
  kind: PlainKind<Record, Input, Changes>,
  given: readonly string[],
  uses: readonly Use<Record>[] = [],
): Promise<Answer> {
  const ids = [...new Set(given)];
  const { now } = call;
  const texts = await call.context.store.write(call.caller.cid, async (transaction) => {
    const records = transaction.records(kind.resource);
    const stored = await takeRecords(records, kind.noun, ids);
    refusePredefined(kind, stored);
    const live = stored.filter((record) => !isDeleted(record));
    const used = await useProblems(transaction, kind, live, uses, now);
    if (used.length > 0) throw errors.conflict(used);
    const before = await records.get(ids, now);
    if (live.length === 0) return before;
    await audit(call, transaction, live);
    const { retire } = kind;
    if (retire === undefined) {
      await records.remove(ids, now);
      return before;
    }
    const retired = live.map((record) => ({
      at: "",
      before: record,
      after: retire.call(kind, record, now),
    }));
    await records.replace(
      retired.map(({ after }) => after),
      now,
    );
    await settleMirrors(transaction, retired, kind.references ?? [], now);
    return records.get(ids, now);
  });
  return { kind: "records", records: ids.flatMap((id) => texts.get(id) ?? []) };
}

function refuseBadMembers<Record extends PlainRecord, Input, Changes>(
  kind: PlainKind<Record, Input, Changes>,
  drafts: readonly { readonly wanted: Wanted<Record>; readonly given: Input | Changes }[],
): void {
  const problems = drafts.flatMap(({ wanted, given }) => kind.problems?.(wanted, given) ?? []);
  if (problems.length > 0) throw errors.invalidRequest(problems);
}

/** What is to be stored, once everything around the records is known to be right. */
async function finish<Record extends PlainRecord, Input, Changes>(
  transaction: Transaction,
  records: WritableRecords<Record>,
  kind: PlainKind<Record, Input, Changes>,
  wanted: readonly Wanted<Record>[],
  now: Date,
): Promise<readonly Wanted<Record>[]> {
  await refuseBadReferences(transaction, wanted, kind.references ?? []);
  const conflicts = [
    ...(await uniqueProblems(records, kind, wanted, now)),
    ...((await kind.conflicts?.(transaction, wanted, now)) ?? []),
  ];
  if (conflicts.length > 0) throw errors.conflict(conflicts);
  if (kind.finish === undefined) return wanted;
  const finished: Wanted<Record>[] = [];
  for (const each of wanted) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    finished.push({ ...each, after: await kind.finish(transaction, each, now) });
  }
  return finished;
}

function refusePredefined<Record extends PlainRecord>(
  kind: Kind<Record>,
  stored: readonly Record[],
): void {
  const problems = stored.flatMap((record): readonly Problem[] => {
    if (kind.isPredefined?.(record) !== true) return [];
    const message = `the ${kind.noun} ${record.id}, ${record.name}, comes with the platform and is read-only`;
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
    message: `the ${noun} ${id} is deleted and stays as it is; create a new one`,
  }));
  if (problems.length > 0) throw errors.conflict(problems);
}

const audit = (
  call: WritingCall,
  transaction: Transaction,
  written: readonly PlainRecord[],
): Promise<void> =>
  transaction.audit(
    auditEntry(
      call,
      undefined,
      written.map(({ id }) => id),
    ),
  );
