import { compareDigits, compareText, isDigit, versionOrdering } from "./ordering.ts";

/**
 * A number, a qualifier such as `rc`, or a list, which starts at a hyphen or at a change to
 * letters.
 */
type Item =
  | { readonly kind: "number"; readonly digits: string }
  | { readonly kind: "qualifier"; readonly rank: string }
  | ListItem;

interface ListItem {
  readonly kind: "list";
  readonly items: Item[];
}

/** Known qualifiers from the oldest to the newest; the empty one is the release. */
const qualifiers = ["alpha", "beta", "milestone", "rc", "snapshot", "", "sp"];
const releaseRank = String(qualifiers.indexOf(""));
const aliases = new Map([
  ["ga", ""],
  ["final", ""],
  ["release", ""],
  ["cr", "rc"],
]);
/** Valid only directly before a number. */
const shortNames = new Map([
  ["a", "alpha"],
  ["b", "beta"],
  ["m", "milestone"],
]);

/** The order of `ComparableVersion` in Maven 3, which accepts every text as a version. */
export const mavenVersions = versionOrdering<ListItem>({
  parse: (text) => (text.trim() === "" ? undefined : readItems(text.trim().toLowerCase())),
  compare: compareLists,
});

function readItems(version: string): ListItem {
  const root: ListItem = { kind: "list", items: [] };
  const lists = [root];
  let list = root;
  let start = 0;
  let digits = false;
  const open = (): void => {
    const inner: ListItem = { kind: "list", items: [] };
    list.items.push(inner);
    list = inner;
    lists.push(inner);
  };
  const add = (end: number): void => {
    const text = version.slice(start, end);
    if (digits || text === "") list.items.push({ kind: "number", digits: text });
    else list.items.push({ kind: "qualifier", rank: rankOf(text) });
    start = end;
  };
  for (let at = 0; at < version.length; at += 1) {
    const character = version[at];
    if (character === "." || character === "-") {
      add(at);
      start = at + 1;
      if (character === "-") open();
      continue;
    }
    const digit = isDigit(version.charCodeAt(at));
    if (at > start && digit !== digits) {
      if (digit) {
        if (list.items.length > 0) open();
        const name = version.slice(start, at);
        list.items.push({ kind: "qualifier", rank: rankOf(shortNames.get(name) ?? name) });
        start = at;
      } else {
        add(at);
      }
      open();
    }
    digits = digit;
  }
  if (version.length > start) {
    if (!digits && list.items.length > 0) open();
    add(version.length);
  }
  for (const inner of lists.toReversed()) removeTrailingZeros(inner.items);
  return root;
}

/**
 * A text that sorts like the qualifier: unknown qualifiers come after known ones, in text order.
 */
function rankOf(name: string): string {
  const qualifier = aliases.get(name) ?? name;
  const rank = qualifiers.indexOf(qualifier);
  return rank < 0 ? `${qualifiers.length}-${qualifier}` : String(rank);
}

/**
 * Zeros, releases and empty lists are ignored at the end of a list and before its trailing lists.
 */
function removeTrailingZeros(items: Item[]): void {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index] as Item;
    if (isNothing(item)) items.splice(index, 1);
    else if (item.kind !== "list") return;
  }
}

function isNothing(item: Item): boolean {
  if (item.kind === "list") return item.items.length === 0;
  return item.kind === "number" ? /^0*$/.test(item.digits) : item.rank === releaseRank;
}

/**
 * Numbers are newer than lists, and lists newer than qualifiers. An absent item is a zero or a
 * release.
 */
function compareItems(left: Item | undefined, right: Item | undefined): number {
  if (left === undefined) return right === undefined ? 0 : -compareItems(right, undefined);
  switch (left.kind) {
    case "number":
      if (right === undefined) return isNothing(left) ? 0 : 1;
      return right.kind === "number" ? compareDigits(left.digits, right.digits) : 1;
    case "qualifier":
      if (right === undefined) return compareText(left.rank, releaseRank);
      return right.kind === "qualifier" ? compareText(left.rank, right.rank) : -1;
    case "list":
      if (right === undefined || right.kind === "list") return compareLists(left, right);
      return right.kind === "number" ? -1 : 1;
  }
}

function compareLists(left: ListItem, right: ListItem | undefined): number {
  const others = right?.items ?? [];
  for (let index = 0; index < Math.max(left.items.length, others.length); index += 1) {
    const difference = compareItems(left.items[index], others[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}
