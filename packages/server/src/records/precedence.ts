/** Orders without gaps: `precedence` is the position of a record in its list. */
import { compareCodePoints } from "@security-platform/fql";
import type { Problem } from "../foundation/errors.ts";
import type { WritableRecords } from "../store/index.ts";

/** A record with a position in an order. */
export interface Ranked {
  readonly id: string;
  readonly name: string;
  readonly precedence: number;
}

export const byPrecedence = <Record extends Ranked>(
  records: readonly Record[],
): readonly Record[] => records.toSorted((left, right) => left.precedence - right.precedence);

/** The records whose position changes when the list is numbered from `first`. */
export const moved = <Record extends Ranked>(
  ordered: readonly Record[],
  first: number,
): readonly Record[] =>
  ordered.flatMap((record, index) =>
    record.precedence === first + index ? [] : [{ ...record, precedence: first + index }],
  );

/** Numbers the records from `first` in the order of the list. */
export async function renumber<Record extends Ranked>(
  records: WritableRecords<Record>,
  ordered: readonly Record[],
  { first, now }: { readonly first: number; readonly now: Date },
): Promise<void> {
  const changed = moved(ordered, first);
  if (changed.length > 0) await records.replace(changed, now);
}

/** An order from a request, and its place in the request. */
export interface OrderInput {
  readonly at: string;
  readonly ids: readonly string[];
  /** The words for all records of the order, such as `policy of Windows but the default one`. */
  readonly all: string;
  /** The message for an id that does not belong to the order. */
  readonly refuse: (id: string) => string;
}

/** Problems of a list that does not contain each record of the order exactly once. */
export function orderProblems(
  records: readonly Ranked[],
  { at, ids, all, refuse }: OrderInput,
): readonly Problem[] {
  const own = new Set(records.map(({ id }) => id));
  const listed = new Set(ids);
  const strays = ids.flatMap((id, index) =>
    own.has(id) ? [] : [{ at: `${at}[${index}]`, id, message: refuse(id) }],
  );
  const lacking = records
    .filter(({ id }) => !listed.has(id))
    .toSorted((left, right) => compareCodePoints(left.id, right.id))
    .map(({ id, name }) => ({ at, id, message: `lacks ${id}, ${name}; list every ${all}` }));
  return [...strays, ...lacking];
}
