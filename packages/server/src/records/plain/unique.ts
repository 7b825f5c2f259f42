import { foldCase, type Predicate } from "@security-platform/fql";
import type { Problem } from "../../errors.ts";
import type { WritableRecords } from "../../store/types.ts";
import { duplicateProblems, type Placed, type Rival } from "../duplicates.ts";
import type { PlainRecord, PlainKind, Wanted } from "./kind.ts";

/** Values of unique members that another record has. */
export async function uniqueProblems<Record extends PlainRecord, Input, Changes>(
  records: WritableRecords<Record>,
  { noun, unique = [] }: PlainKind<Record, Input, Changes>,
  wanted: readonly Wanted<Record>[],
  now: Date,
): Promise<readonly Problem[]> {
  const placed = wanted.map(({ at, after }): Placed<Record> => ({ at, record: after }));
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
              message: `the ${noun} ${rival.id} has ${value} already; choose another one, or change that ${noun}`,
            }
          : { at: `${at}.${member}`, message: `${rival.at} has ${value} already` };
      },
    };
    // oxlint-disable-next-line no-await-in-loop -- one transaction
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
    const having: Predicate = { kind: "equal", field, value: key, fold: true };
    const live: Predicate = { kind: "equal", field: "deleted", value: false, fold: false };
    const predicate: Predicate =
      "deleted" in records.resource.fields ? { kind: "and", operands: [having, live] } : having;
    const query = { predicate, sort: [], limit: 1, shape: "ids", now, offset: 0 } as const;
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    const { items } = await records.page(query);
    for (const id of items) holders.set(key, id);
  }
  return holders;
}
