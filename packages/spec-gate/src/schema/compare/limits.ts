import type { Bound } from "../canonical.ts";
import type { Site } from "./site.ts";

/** Compares upper limits; `Infinity`: no limit. */
export function compareUpper(
  site: Site,
  name: "max-length" | "max-items" | "max-properties",
  words: string,
  base: number,
  revision: number,
): void {
  if (base === revision) return;
  if (base === Infinity)
    site.report(`${name}-added`, `${words} is ${revision} now, it had no limit`);
  else if (revision === Infinity) {
    site.report(`${name}-removed`, `${words} was ${base} and no longer has a limit`);
  } else if (revision < base) {
    site.report(`${name}-lowered`, `${words} was lowered from ${base} to ${revision}`);
  } else site.report(`${name}-raised`, `${words} was raised from ${base} to ${revision}`);
}

/** Compares lower limits; 0: no limit. */
export function compareLower(
  site: Site,
  name: "min-length" | "min-items" | "min-properties",
  words: string,
  base: number,
  revision: number,
): void {
  if (base === revision) return;
  if (revision > base)
    site.report(`${name}-raised`, `${words} was raised from ${base} to ${revision}`);
  else site.report(`${name}-lowered`, `${words} was lowered from ${base} to ${revision}`);
}

/** Compares the limits of numbers. */
export function compareBounds(
  site: Site,
  name: "minimum" | "maximum",
  base: Bound | undefined,
  revision: Bound | undefined,
): void {
  if (base?.value === revision?.value && base?.exclusive === revision?.exclusive) return;
  if (base === undefined) {
    site.report(`${name}-added`, `the ${name} is ${text(revision)} now, it had no limit`);
    return;
  }
  if (revision === undefined) {
    site.report(`${name}-removed`, `the ${name} was ${text(base)} and no longer has a limit`);
    return;
  }
  const step = revision.value - base.value;
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
