import { errors, type Problem } from "../../foundation/errors.ts";
import { pause } from "../../foundation/work-turns.ts";
import type { Transaction } from "../../store/index.ts";
import type { Named, PlainRecord, Reference, PlacedChange } from "./kind.ts";
import { isDeleted, placedTextsAt, textsAt } from "./members.ts";

/** References that a change adds and removes. */
interface Moves {
  readonly entered: readonly Named[];
  readonly left: readonly Named[];
}

/** The references of a record, each once. */
function namesIn<Record extends PlainRecord>(
  record: Record,
  reference: Reference<Record>,
): readonly Named[] {
  const names = reference.namesIn?.(record) ?? placedTextsAt(record, reference.member);
  return [...new Map(names.toReversed().map((name) => [name.id, name])).values()].toReversed();
}

function changedReferences<Record extends PlainRecord>(
  { before, after }: PlacedChange<Record>,
  reference: Reference<Record>,
): Moves {
  const had = before === null ? [] : namesIn(before, reference);
  const has = namesIn(after, reference);
  const [old, now] = [new Set(had.map(({ id }) => id)), new Set(has.map(({ id }) => id))];
  return {
    entered: has.filter(({ id }) => !old.has(id)),
    left: had.filter(({ id }) => !now.has(id)),
  };
}

/**
 * Throws 400 for references to missing or deleted records, and 403 for new entries in the list of a
 * predefined record.
 */
export async function refuseBadReferences<Record extends PlainRecord>(
  transaction: Transaction,
  changes: readonly PlacedChange<Record>[],
  references: readonly Reference<Record>[],
): Promise<void> {
  const bad: Problem[] = [];
  const closed: Problem[] = [];
  for (const reference of references) {
    const { target } = reference;
    const named: { readonly id: string; readonly at: string }[] = [];
    for (const each of changes) {
      const { entered } = changedReferences(each, reference);
      for (const { id, place } of entered) named.push({ id, at: `${each.at}${place}` });
      await pause();
    }
    const referenced = await transaction
      .records(target.resource)
      .getForUpdate([...new Set(named.map(({ id }) => id))]);
    for (const { id, at } of named) {
      const other = referenced.get(id);
      if (other === undefined) {
        bad.push({ at, id, message: `there is no ${target.noun} ${id}` });
      } else if (isDeleted(other)) {
        bad.push({ at, id, message: `the ${target.noun} ${id} is deleted` });
      } else if (isClosed(reference, other)) {
        const message = `the ${target.noun} ${id} is built in and cannot be extended`;
        closed.push({ at, id, message });
      }
      await pause();
    }
  }
  if (bad.length > 0) throw errors.invalidRequest(bad);
  if (closed.length > 0) throw errors.readOnly(closed);
}

const isClosed = <Record>({ target, otherSide }: Reference<Record>, other: PlainRecord): boolean =>
  otherSide !== undefined && otherSide.takesAny !== true && target.isPredefined?.(other) === true;

/** Updates the lists of the other side. Throws 400 if a list would become too long. */
export async function settleMirrors<Record extends PlainRecord>(
  transaction: Transaction,
  written: readonly PlacedChange<Record>[],
  references: readonly Reference<Record>[],
  now: Date,
): Promise<void> {
  for (const reference of references) {
    if (reference.otherSide !== undefined) await settle(transaction, written, reference, now);
  }
}

async function settle<Record extends PlainRecord>(
  transaction: Transaction,
  written: readonly PlacedChange<Record>[],
  reference: Reference<Record>,
  now: Date,
): Promise<void> {
  const { target, otherSide } = reference;
  if (otherSide === undefined) return;
  const lists = new Map<string, Set<string>>();
  const records = transaction.records(target.resource);
  const moves = written.map((each) => ({ each, ...changedReferences(each, reference) }));
  const stored = await records.getForUpdate([
    ...new Set(moves.flatMap(({ entered, left }) => [...entered, ...left].map(({ id }) => id))),
  ]);
  const problems: Problem[] = [];
  for (const { each, entered, left } of moves) {
    for (const named of [...entered, ...left]) {
      const { id, place } = named;
      const other = stored.get(id);
      if (other === undefined) continue;
      const list = lists.get(id) ?? new Set(textsAt(other, otherSide.member));
      lists.set(id, list);
      if (left.includes(named)) list.delete(each.after.id);
      else list.add(each.after.id);
      if (list.size <= otherSide.most) continue;
      const message = `the ${target.noun} ${id} would have ${list.size} entries; it can have at most ${otherSide.most}`;
      problems.push({ at: `${each.at}${place}`, id, message });
    }
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  const changed = [...lists].flatMap(([id, list]) => {
    const other = stored.get(id);
    const members = { [otherSide.member]: [...list], [otherSide.changedAt]: now.toISOString() };
    return other === undefined ? [] : [{ ...other, ...members }];
  });
  if (changed.length > 0) await records.replace(changed, now);
}
