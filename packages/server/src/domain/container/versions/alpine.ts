import { compareDigits, compareText, versionOrdering } from "./ordering.ts";

interface AlpineVersion {
  readonly numbers: readonly string[];
  readonly letter: string;
  readonly suffixes: readonly { readonly rank: number; readonly number: string }[];
  /** The commit that the package was built from; empty if the version names none. */
  readonly commit: string;
  readonly revision: string;
}

/** Suffixes from the oldest to the newest; a version without a suffix is between the two groups. */
const before = ["alpha", "beta", "pre", "rc"];
const after = ["cvs", "svn", "git", "hg", "p"];

const form =
  /^(\d+(?:\.\d+)*)([a-z]?)((?:_(?:alpha|beta|pre|rc|cvs|svn|git|hg|p)\d*)*)(?:~([0-9a-f]+))?(?:-r(\d+))?$/;

/** `1.2.3a_rc4-r5`, ordered as apk orders packages. */
export const alpineVersions = versionOrdering<AlpineVersion>({
  parse(text) {
    const parts = form.exec(text.trim());
    if (parts === null) return undefined;
    const [, numbers = "", letter = "", suffixes = "", commit = "", revision = ""] = parts;
    return {
      numbers: numbers.split("."),
      letter,
      suffixes: [...suffixes.matchAll(/_([a-z]+)(\d*)/g)].map(([, name = "", number = ""]) => ({
        rank: rankOf(name),
        number,
      })),
      commit,
      revision,
    };
  },
  compare: (left, right) =>
    compareNumbers(left.numbers, right.numbers) ||
    compareText(left.letter, right.letter) ||
    compareSuffixes(left.suffixes, right.suffixes) ||
    compareText(left.commit, right.commit) ||
    comparePresent(left.revision, right.revision),
});

/** Numbers, and a missing one before all others. */
const comparePresent = (left: string, right: string): number =>
  Math.sign(left.length) - Math.sign(right.length) || compareDigits(left, right);

function rankOf(name: string): number {
  const early = before.indexOf(name);
  return early < 0 ? after.indexOf(name) + 1 : early - before.length;
}

/** After the first number, numbers with a leading zero are compared like decimal fractions. */
function compareNumbers(left: readonly string[], right: readonly string[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const one = left[index];
    const other = right[index];
    if (one === undefined) return -1;
    if (other === undefined) return 1;
    const fraction = index > 0 && (one.startsWith("0") || other.startsWith("0"));
    const difference = fraction ? compareText(one, other) : compareDigits(one, other);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareSuffixes(
  left: AlpineVersion["suffixes"],
  right: AlpineVersion["suffixes"],
): number {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const one = left[index] ?? { rank: 0, number: "" };
    const other = right[index] ?? { rank: 0, number: "" };
    const difference = one.rank - other.rank || comparePresent(one.number, other.number);
    if (difference !== 0) return difference;
  }
  return 0;
}
