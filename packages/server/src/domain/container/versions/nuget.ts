import { compareDigits, compareText, versionOrdering } from "./ordering.ts";

interface NugetVersion {
  /** Major, minor, patch and revision. */
  readonly numbers: readonly string[];
  readonly labels: readonly string[];
}

const form =
  /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]*)?$/i;

/**
 * Semantic Versioning with up to four numbers and case-insensitive labels. Absent numbers are 0.
 */
export const nugetVersions = versionOrdering<NugetVersion>({
  parse(text) {
    const parts = form.exec(text.trim());
    if (parts === null) return undefined;
    return {
      numbers: parts.slice(1, 5).map((number) => number ?? "0"),
      labels: parts[5] === undefined ? [] : parts[5].toLowerCase().split("."),
    };
  },
  compare(left, right) {
    for (const [index, number] of left.numbers.entries()) {
      const difference = compareDigits(number, right.numbers[index] as string);
      if (difference !== 0) return difference;
    }
    return compareLabels(left.labels, right.labels);
  },
});

/** A version without labels is newer than one with labels. */
function compareLabels(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const one = left[index] as string;
    const other = right[index] as string;
    const numeric = /^\d+$/.test(one);
    if (numeric !== /^\d+$/.test(other)) return numeric ? -1 : 1;
    const difference = numeric ? compareDigits(one, other) : compareText(one, other);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
