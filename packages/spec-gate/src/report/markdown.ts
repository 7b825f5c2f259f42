import { groupBy } from "../group-by.ts";
import { code, plainText } from "./markup.ts";
import {
  changesOf,
  firstFew,
  headlineOf,
  otherOperations,
  placesOf,
  spotText,
  type Cause,
  type Report,
} from "./model.ts";

/** A comment on a pull request is at most 65,536 characters long. */
const longest = 60_000;
const mostRows = 100;
/** Longer texts of a row are cut, so that one row of each rule always has room. */
const longestText = 300;

/** A comment. */
export function markdownReport(report: Report): string {
  const { causes, failures, notes, conclusion } = report;
  const { sign, words } = headlineOf(report);
  const breaking = causes.filter(({ breaks }) => breaks);
  const accepted = causes.filter(({ approval }) => approval !== null);
  const others = causes.filter(({ verdict }) => verdict === "minor" || verdict === "patch");
  const head = [
    "<!-- spec-gate -->",
    `### API changes: ${sign} ${words}`,
    "",
    plainText(conclusion),
    "",
    ...failures.map(
      ({ rule, place, message }) =>
        `- ${code(rule)} ${code(cut(place))}: ${plainText(cut(message))}`,
    ),
    ...notes.slice(0, mostRows).flatMap((note) => ["", `> ${plainText(cut(note))}`]),
    "",
  ];
  // What breaks clients takes its room first, so that nothing else crowds it out.
  let room = longest - textOf(head).length;
  const sections: string[] = [];
  const add = (lines: readonly string[]): void => {
    room -= textOf(lines).length;
    sections.push(...lines);
  };
  if (breaking.length > 0) {
    add(["#### Breaking", ""]);
    add(table(report, breaking, room * 0.75));
    add(["", ...details(report, breaking, room * 0.6), ""]);
  }
  if (accepted.length > 0) {
    add(["#### Approved", ""]);
    add(list(accepted, room * 0.6, (cause) => approvedLine(report, cause)));
    add([""]);
  }
  if (others.length > 0) {
    const count = others.reduce((sum, { changes }) => sum + changes.length, 0);
    add([`<details><summary>${count} compatible changes</summary>`, ""]);
    add(table(report, others, room * 0.9));
    add(["", "</details>"]);
  }
  return textOf([...head, ...sections]);
}

const textOf = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

const cut = (text: string, most = longestText): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

function table(report: Report, causes: readonly Cause[], room: number): readonly string[] {
  return [
    "| where | rule | direction | what changed | affects |",
    "| --- | --- | --- | --- | --- |",
    ...list(causes, room, (cause, isShort) => row(report, cause, isShort)),
  ];
}

function row(report: Report, cause: Cause, isShort: boolean): string {
  const { rule, direction, message, affects } = cause;
  const most = isShort ? 80 : longestText;
  const places = placesOf(report, cause);
  const others = isShort ? [] : otherOperations(report, cause);
  const where = firstFew(places, isShort ? 1 : 5).map((place, index) =>
    index === (isShort ? 1 : 5) ? plainText(place) : code(cut(place, most)),
  );
  const also =
    others.length === 0
      ? ""
      : `, also in ${firstFew(others)
          .map((each) => code(cut(each)))
          .join(", ")}`;
  return `| ${where.join(", ")}${also} | ${code(rule)} | ${direction} | ${plainText(cut(message, most))} | ${affects.join(", ")} |`;
}

/**
 * As many lines as there is room for. The first cause of each rule has a line in any case, and what
 * is left out is counted by rule.
 */
function list(
  causes: readonly Cause[],
  room: number,
  lineOf: (cause: Cause, isShort: boolean) => string,
): readonly string[] {
  const firsts = new Set([...groupBy(causes, ({ rule }) => rule).values()].map(([first]) => first));
  const lines = new Map<Cause, string>();
  let left = room;
  const isLong =
    [...firsts].reduce((sum, each) => sum + (each ? lineOf(each, false).length : 0), 0) > room / 2;
  for (const each of firsts) {
    if (each === undefined) continue;
    lines.set(each, lineOf(each, isLong));
    left -= lines.get(each)?.length ?? 0;
  }
  for (const cause of causes) {
    if (lines.has(cause)) continue;
    const line = lineOf(cause, false);
    if (lines.size >= mostRows || line.length > left) break;
    lines.set(cause, line);
    left -= line.length + 1;
  }
  const omitted = causes.filter((cause) => !lines.has(cause));
  const shown = causes.flatMap((cause) => lines.get(cause) ?? []);
  if (omitted.length === 0) return shown;
  const counts = [...groupBy(omitted, ({ rule }) => rule)].map(([rule, group]) => {
    const count = group.reduce((sum, { changes }) => sum + changes.length, 0);
    return `${count} × ${code(rule)}`;
  });
  return [...shown, "", `Not shown, see the full report: ${counts.join(", ")}.`];
}

function approvedLine(report: Report, cause: Cause): string {
  const places = firstFew(placesOf(report, cause)).map((place) => code(cut(place)));
  const { rule, message, approval } = cause;
  return `- ${code(rule)} at ${places.join(", ")}: ${plainText(cut(message))}. ${plainText(cut(approval?.reason ?? ""))} (until ${plainText(approval?.expiry ?? "")})`;
}

/** For each breaking cause: both places, the values side by side, who breaks, and what to do. */
function details(report: Report, causes: readonly Cause[], room: number): readonly string[] {
  const lines = ["<details><summary>Places, old and new values, and what to do</summary>", ""];
  let left = room;
  let shownCauses = 0;
  for (const cause of causes) {
    const block = detail(report, cause);
    left -= textOf(block).length;
    if (left < 0) break;
    shownCauses += 1;
    lines.push(...block);
  }
  if (shownCauses < causes.length) {
    lines.push(`The details of ${causes.length - shownCauses} more are in the full report.`, "");
  }
  lines.push("</details>");
  return lines;
}

function detail(report: Report, cause: Cause): readonly string[] {
  const [first] = changesOf(report, cause);
  if (first === undefined) return [];
  const { locations, values, approvalEntry } = first;
  const cell = (value: string | null): string => (value === null ? "absent" : code(cut(value)));
  return [
    `**${plainText(cut(cause.rule))}**: ${plainText(cut(cause.message))}`,
    "",
    `| before: ${code(spotText(locations.base))} | after: ${code(spotText(locations.revision))} |`,
    "| --- | --- |",
    `| ${cell(values.base)} | ${cell(values.revision)} |`,
    "",
    `${plainText(cause.who)} ${plainText(cause.fix)}`,
    "",
    ...(approvalEntry === null ? [] : [`To approve it: ${code(approvalEntry)}`, ""]),
  ];
}
