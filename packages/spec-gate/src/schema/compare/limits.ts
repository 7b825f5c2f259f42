import type { Bound } from "../canonical.ts";
import { order } from "../../numeric.ts";
import type { Site } from "./site.ts";

/** A limit, and the one that other keywords imply. */
export interface Limit {
  readonly own: number;
  readonly implied: number;
}

/** Compares upper limits; `Infinity`: no limit. What other keywords imply is reported with them. */
export function compareUpper(
  site: Site,
  name: "max-length" | "max-items" | "max-properties",
  words: string,
  before: Limit,
  after: Limit,
): void {
  const step = Math.min(after.own, after.implied) - Math.min(before.own, before.implied);
  const { own: limit, implied } = step < 0 ? after : before;
  if (step === 0 || Number.isNaN(step) || implied <= limit) return;
  const [base, revision] = [before.own, after.own];
  if (base === Infinity)
    site.report(`${name}-added`, `${words} is ${revision} now, it had no limit`);
  else if (revision === Infinity) {
    site.report(`${name}-removed`, `${words} was ${base} and no longer has a limit`);
  } else if (revision < base) {
    site.report(`${name}-lowered`, `${words} was lowered from ${base} to ${revision}`);
  } else site.report(`${name}-raised`, `${words} was raised from ${base} to ${revision}`);
}

/** Compares lower limits; 0: no limit. What other keywords imply is reported with them. */
export function compareLower(
  site: Site,
  name: "min-length" | "min-items" | "min-properties",
  words: string,
  before: Limit,
  after: Limit,
): void {
  const step = Math.max(after.own, after.implied) - Math.max(before.own, before.implied);
  const { own: limit, implied } = step > 0 ? after : before;
  if (step === 0 || implied >= limit) return;
  const [base, revision] = [before.own, after.own];
  if (step > 0) site.report(`${name}-raised`, `${words} was raised from ${base} to ${revision}`);
  else site.report(`${name}-lowered`, `${words} was lowered from ${base} to ${revision}`);
}

export const isSameBound = (base: Bound | undefined, revision: Bound | undefined): boolean =>
  base?.value === revision?.value && base?.exclusive === revision?.exclusive;

/** Compares the limits of numbers. */
export function compareBounds(
  site: Site,
  name: "minimum" | "maximum",
  base: Bound | undefined,
  revision: Bound | undefined,
): void {
  if (isSameBound(base, revision)) return;
  if (base === undefined) {
    site.report(`${name}-added`, `the ${name} is ${text(revision)} now, it had no limit`);
    return;
  }
  if (revision === undefined) {
    site.report(`${name}-removed`, `the ${name} was ${text(base)} and no longer has a limit`);
    return;
  }
  const step = order(revision.value, base.value);
  const isUpper = name === "maximum";
  // With equal values, an exclusive limit is the lower of two upper limits and the higher of two lower ones.
  const goesUp = step === 0 ? revision.exclusive !== isUpper : step > 0;
  const [rule, word] = goesUp
    ? ([`${name}-raised`, "raised"] as const)
    : ([`${name}-lowered`, "lowered"] as const);
  site.report(rule, `the ${name} was ${word} from ${text(base)} to ${text(revision)}`);
}

const text = (bound: Bound | undefined): string =>
  bound === undefined ? "none" : `${bound.value}${bound.exclusive ? " (exclusive)" : ""}`;
