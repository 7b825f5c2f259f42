import { createHash } from "node:crypto";
import { caseId, type Case } from "./cases/case.ts";
import { groupBy } from "./group-by.ts";

/** A text that a case id contains, or a pattern that it matches. */
export type Selector = string | RegExp;

/** One part of a run that is divided among several jobs: `{ index: 1, count: 4 }` is the first. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export interface Selection {
  /** Only cases that one of these matches; default: all. */
  readonly include?: readonly Selector[] | undefined;
  /** No cases that one of these matches. */
  readonly exclude?: readonly Selector[] | undefined;
  readonly shard?: Shard | undefined;
  /** Share of the costly cases to run, chosen by the seed; default 1: all. */
  readonly sample?: number | undefined;
}

export function selectCases(
  cases: readonly Case[],
  { include = [], exclude = [], shard, sample = 1 }: Selection,
  seed: string,
): readonly Case[] {
  const selected = cases.filter((each) => {
    const id = caseId(each);
    const path = `${each.operation.collection} ${id}`;
    const hits = (selector: Selector): boolean =>
      typeof selector === "string" ? path.includes(selector) : selector.test(id);
    if (each.costly === true && lot(`${seed} ${id}`) >= sample) return false;
    return (include.length === 0 || include.some(hits)) && !exclude.some(hits);
  });
  if (selected.length === 0 && include.length > 0) {
    const patterns = include.map(String).join(" or ");
    throw new Error(`no case has a name with ${patterns}; --list prints the names`);
  }
  return shard === undefined ? selected : shardOf(selected, shard);
}

/** A number from 0 to 1, derived from the text. */
const lot = (text: string): number =>
  createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;

/** Keeps an operation's cases together, and gives each shard about the same number of cases. */
function shardOf(cases: readonly Case[], { index, count }: Shard): readonly Case[] {
  const sizes = Array.from({ length: count }, () => 0);
  const shardByOperation = new Map<string, number>();
  const byOperation = groupBy(cases, ({ operation }) => operation.id);
  const largestFirst = [...byOperation].toSorted(
    ([, left], [, right]) => right.length - left.length,
  );
  for (const [operation, { length }] of largestFirst) {
    const smallest = sizes.indexOf(Math.min(...sizes));
    sizes[smallest] = (sizes[smallest] ?? 0) + length;
    shardByOperation.set(operation, smallest + 1);
  }
  return cases.filter(({ operation }) => shardByOperation.get(operation.id) === index);
}
