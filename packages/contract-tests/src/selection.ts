import { caseId, type Case } from "./cases/case.ts";

/** Text that a case id holds, or a pattern that it matches. */
export type Selector = string | RegExp;

/** One of several parts of a run, each of which runs on its own: `{ index: 1, count: 4 }` is the first. */
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
}

export function selectCases(
  cases: readonly Case[],
  { include = [], exclude = [], shard }: Selection,
): readonly Case[] {
  const chosen = cases.filter((each) => {
    const id = caseId(each);
    const path = `${each.operation.collection} ${id}`;
    const hits = (selector: Selector): boolean =>
      typeof selector === "string" ? path.includes(selector) : selector.test(id);
    return (include.length === 0 || include.some(hits)) && !exclude.some(hits);
  });
  return shard === undefined ? chosen : shardOf(chosen, shard);
}

/** Keeps an operation's cases together, and gives each shard about the same number of cases. */
function shardOf(cases: readonly Case[], { index, count }: Shard): readonly Case[] {
  const sizes = Array.from({ length: count }, () => 0);
  const shardByOperation = new Map<string, number>();
  const byOperation = Map.groupBy(cases, ({ operation }) => operation.id);
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
