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
  /** Selectors of the cases that run. Default: all run. */
  readonly include?: readonly Selector[] | undefined;
  /** Selectors of cases that do not run. */
  readonly exclude?: readonly Selector[] | undefined;
  readonly shard?: Shard | undefined;
  /** Share of the costly cases to run, chosen by the seed; default 1: all. */
  readonly sample?: number | undefined;
  /**
   * Runs a tenth of the requests that a service refuses before it reads a record: one for each operation and law, and
   * one for each rule and place. Default: false.
   */
  readonly quick?: boolean | undefined;
}

export function selectCases(
  cases: readonly Case[],
  { include = [], exclude = [], shard, sample = 1, quick = false }: Selection,
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
  const run = quick ? withFewRefusals(selected) : selected;
  return shard === undefined ? run : shardOf(run, shard);
}

/** Whether the service refuses the request before it reads a record: by the document alone, or without a caller. */
export function isRefusedEarly({ law, status, title }: Case): boolean {
  switch (law) {
    case "shape":
    case "limits":
    case "filter":
      // Whether a service refuses an unknown parameter is a rule of each operation.
      return !/^query\.\S+ which does not exist$/.test(title);
    case "token":
      return /^(no token|a malformed header|another scheme)$/.test(title);
    case "answer":
      return (
        (status === 413 && title === "a body with too many values") ||
        (status === 415 && title === "a body without content type")
      );
    default:
      return false;
  }
}

function withFewRefusals(cases: readonly Case[]): readonly Case[] {
  const seen = new Set<string>();
  const isNew = (key: string): boolean => seen.size < seen.add(key).size;
  return cases.filter((each) => {
    if (!isRefusedEarly(each)) return true;
    const { operation, law, title } = each;
    const isFirstOfOperation = isNew(`${operation.id} ${law}`);
    return isNew(`${law} ${ruleOf(title)}`) || isFirstOfOperation;
  });
}

/** The rule that a request breaks, and whether in the query, the body or elsewhere: its title without names and values. */
const ruleOf = (title: string): string =>
  title
    .split(" ")
    .map((word) => (/[^a-z(),]/.test(word) ? word.replace(/\W.*$/s, ".") : word))
    .join(" ");

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
