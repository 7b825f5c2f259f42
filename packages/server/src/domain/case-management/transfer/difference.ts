import { formatPatch, structuredPatch } from "diff";

/** Edits beyond which the shortest difference is not worked out: the time grows with their square. */
const mostEdits = 2_000;
const context = 3;

/** A unified difference of two texts; empty where nothing changes. */
export function difference(before: string, after: string): string {
  if (before === after) return "";
  const [old, renewed] = ["stored", "imported"];
  const options = { context, maxEditLength: mostEdits };
  const patch = structuredPatch(old, renewed, before, after, "", "", options);
  if (patch !== undefined) return formatPatch(patch);
  return formatPatch({
    oldFileName: old,
    newFileName: renewed,
    oldHeader: "",
    newHeader: "",
    hunks: [replacement(linesOf(before), linesOf(after))],
  });
}

const linesOf = (text: string): readonly string[] =>
  text === "" ? [] : text.replace(/\n$/, "").split("\n");

/** All lines from the first that differs to the last as one replacement. */
function replacement(before: readonly string[], after: readonly string[]) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const from = Math.max(0, start - context);
  const rest = Math.max(0, end - context);
  return {
    oldStart: from + 1,
    oldLines: before.length - rest - from,
    newStart: from + 1,
    newLines: after.length - rest - from,
    lines: [
      ...before.slice(from, start).map((line) => ` ${line}`),
      ...before.slice(start, before.length - end).map((line) => `-${line}`),
      ...after.slice(start, after.length - end).map((line) => `+${line}`),
      ...after.slice(after.length - end, after.length - rest).map((line) => ` ${line}`),
    ],
  };
}
