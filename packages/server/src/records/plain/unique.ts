import { foldCase, where } from "@security-platform/fql";
import type { Problem } from "../../foundation/errors.ts";
import type { WritableRecords } from "../../store/index.ts";
import { duplicateProblems, type Placed, type Rival } from "../duplicates.ts";
import type { CreatableKind, PlainRecord, PlacedChange } from "./kind.ts";
import { isLive } from "./members.ts";

/** Duplicate values of unique members. */
export async function uniqueProblems<Record extends PlainRecord, Input>(
  records: WritableRecords<Record>,
  { noun, unique = [] }: CreatableKind<Record, Input>,
  planned: readonly PlacedChange<Record>[],
  now: Date,
): Promise<readonly Problem[]> {
  const placed = planned.map(({ at, after }): Placed<Record> => ({ at, record: after }));
  const problems: Problem[] = [];
  for (const member of unique) {
    const distinction = {
      keyOf: (record: Record) => foldCase(String(record[member])),
      holders: (keys: readonly string[]) => holdersOf(records, member, keys, now),
      problem: ({ at, record }: Placed<Record>, rival: Rival): Problem => {
        const value = String(record[member]);
        return "id" in rival
          ? {
              at: `${at}.${member}`,
              id: rival.id,
              message: `the ${noun} ${rival.id} already has ${value}; choose another one, or change that ${noun}`,
            }
          : { at: `${at}.${member}`, message: `${rival.at} has ${value} already` };
      },
    };
    problems.push(...(await duplicateProblems(placed, distinction)));
  }
  return problems;
}

async function holdersOf<Record extends PlainRecord>(
  records: WritableRecords<Record>,
  field: string,
  keys: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const holders = new Map<string, string>();
  for (const key of keys) {
    const predicate = where.all(where.equalFolded(field, key), isLive(records.resource));
    const query = { predicate, sort: [], limit: 1, shape: "ids", now, offset: 0 } as const;
    const { items } = await records.page(query);
    for (const id of items) holders.set(key, id);
  }
  return holders;
}
