/** Orders without gaps: each record of a list says its place in it as `precedence`. */
import { compareCodePoints } from "@security-platform/fql";
import type { Problem } from "../errors.ts";
import type { WritableRecords } from "../store/types.ts";

/** A record that has a place in an order. */
export interface Ranked {
  readonly id: string;
  readonly name: string;
  readonly precedence: number;
}

export const byPrecedence = <Record extends Ranked>(
  records: readonly Record[],
): readonly Record[] => records.toSorted((left, right) => left.precedence - right.precedence);

/** Those of the records that have another place now, the first of them being at `first`. */
export const moved = <Record extends Ranked>(
  ordered: readonly Record[],
  first: number,
): readonly Record[] =>
  ordered.flatMap((record, index) =>
    record.precedence === first + index ? [] : [{ ...record, precedence: first + index }],
  );

/** Numbers the records from `first` on in the order given. */
export async function renumber<Record extends Ranked>(
  records: WritableRecords<Record>,
  ordered: readonly Record[],
  { first, now }: { readonly first: number; readonly now: Date },
): Promise<void> {
  const changed = moved(ordered, first);
  if (changed.length > 0) await records.replace(changed, now);
}

/** A list that is to be an order, and where it stands in the request. */
export interface AskedOrder {
  readonly at: string;
  readonly ids: readonly string[];
  /** What all of them are called: `policy of Windows but the default one`. */
  readonly all: string;
  /** Why an id has no place in the list. */
  readonly refuse: (id: string) => string;
}

/** Why a list is not exactly the records of an order. */
export function orderProblems(
  records: readonly Ranked[],
  { at, ids, all, refuse }: AskedOrder,
): readonly Problem[] {
  const own = new Set(records.map(({ id }) => id));
  const listed = new Set(ids);
  const strays = ids.flatMap((id, index) =>
    own.has(id) ? [] : [{ at: `${at}[${index}]`, id, message: refuse(id) }],
  );
  const lacking = records
    .filter(({ id }) => !listed.has(id))
    .toSorted((left, right) => compareCodePoints(left.id, right.id))
    .map(({ id, name }) => ({ at, id, message: `lacks ${id}, ${name}; name every ${all}` }));
  return [...strays, ...lacking];
}
