import { isDeepStrictEqual } from "node:util";
import { printable } from "../../terminal/printable.ts";
import { isObject } from "../../calls/is-object.ts";
import type { Difference } from "./compare.ts";
import type { Fields } from "./kind.ts";
import type { Change, Plan } from "./plan.ts";

const signs: Readonly<Record<Change["action"], string>> = {
  create: "+",
  update: "~",
  replace: "±",
  delete: "-",
  reorder: "~",
};

/** A longer value is shortened. */
const longestValue = 80;

/** A change as JSON output has it. */
export const changeAsJson = (change: Change) => ({
  action: change.action,
  kind: change.kind.name,
  name: change.label,
  ...("file" in change ? { file: change.file.path } : {}),
  ...("differences" in change
    ? {
        changes: change.differences.map(({ path, before = null, after = null }) => ({
          path: path.join("."),
          before,
          after,
        })),
      }
    : {}),
  ...(change.action === "reorder" ? { before: change.before, after: change.after } : {}),
});

/** The changes by kind, one a line, with the members that change. */
export function describePlan({ changes, unchanged, kept }: Plan): string {
  const lines: string[] = [];
  let heading = "";
  for (const change of changes) {
    const next =
      change.action === "delete" ? `${change.kind.name} (only in the tenant)` : change.kind.name;
    if (next !== heading) lines.push(next);
    heading = next;
    lines.push(`  ${signs[change.action]} ${printable(change.label)}`);
    if ("differences" in change) lines.push(...change.differences.flatMap(describeDifference));
    if (change.action === "reorder") {
      lines.push(`      ${list(change.before)}`, `    → ${list(change.after)}`);
    }
  }
  lines.push(summaryOf({ changes, unchanged, kept }));
  if (kept.length > 0) {
    const names = kept.slice(0, 5).map(({ kind, label }) => `${kind.name} ${printable(label)}`);
    const more = kept.length > names.length ? ` and ${kept.length - names.length} more` : "";
    lines.push(`Only in the tenant, and kept without --prune: ${names.join(", ")}${more}`);
  }
  return `${lines.join("\n")}\n`;
}

function summaryOf({ changes, unchanged }: Plan): string {
  if (changes.length === 0) return `Nothing to change: ${unchanged} records are the same.`;
  const count = (...actions: readonly Change["action"][]): number =>
    changes.filter(({ action }) => actions.includes(action)).length;
  const parts = [
    `${count("create")} to create`,
    `${count("update", "reorder")} to update`,
    ...(count("replace") > 0 ? [`${count("replace")} to replace`] : []),
    `${count("delete")} to delete`,
    `${unchanged} the same`,
  ];
  return `${parts.join(", ")}.`;
}

/** One line for each value that differs, also inside of lists. */
function describeDifference({ path, before, after }: Difference): readonly string[] {
  const entries = pairsOf(before, after);
  if (entries !== undefined) {
    return entries
      .filter(([, old, wanted]) => !isDeepStrictEqual(old, wanted))
      .flatMap(([name, old, wanted]) =>
        describeDifference({ path: [...path, name], before: old, after: wanted }),
      );
  }
  const place = `      ${printable(path.join("."))}`;
  if (isList(before) && isList(after)) {
    const more = after.filter((each) => !before.includes(each)).map((each) => `+ ${show(each)}`);
    const less = before.filter((each) => !after.includes(each)).map((each) => `- ${show(each)}`);
    if (more.length + less.length > 0) return [`${place}: ${[...less, ...more].join(", ")}`];
  }
  return [`${place}: ${show(before)} → ${show(after)}`];
}

type Pair = readonly [name: string, before: unknown, after: unknown];

/** The members of two objects, or the entries of two lists of objects; undefined for other values. */
function pairsOf(before: unknown, after: unknown): readonly Pair[] | undefined {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].map((name) => [name, before[name], after[name]]);
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  if (![...before, ...after].every(isObject)) return undefined;
  const [old, wanted] = [named(before as Fields[]), named(after as Fields[])];
  const names = [...new Set([...old.keys(), ...wanted.keys()])];
  const entries = names.map((name): Pair => [name, old.get(name), wanted.get(name)]);
  const isSame = entries.every(([, one, other]) => isDeepStrictEqual(one, other));
  // Only the order of the entries differs.
  return isSame ? undefined : entries;
}

/** Entries by their names, or else by their places. */
function named(list: readonly Fields[]): ReadonlyMap<string, unknown> {
  const names = list.map(({ name, value, type }) => name ?? value ?? type);
  const isUnique = new Set(names).size === names.length && !names.includes(undefined);
  return new Map(list.map((item, index) => [String(isUnique ? names[index] : index), item]));
}

/** A list of texts or numbers. */
const isList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.every((item) => typeof item !== "object");

const list = (names: readonly string[]): string => names.map(printable).join(", ");

function show(value: unknown): string {
  const text = value === undefined ? "(empty)" : JSON.stringify(value);
  return printable(text.length > longestValue ? `${text.slice(0, longestValue)}…` : text);
}
