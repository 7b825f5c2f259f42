import { groupBy } from "../group-by.ts";
import { oneLine } from "../json.ts";
import { script, style } from "./html-assets.ts";
import { changesOf, counted, headlineOf, spotText } from "./model.ts";
import type { Cause, Report, ReportedChange } from "./model.ts";

/** One page without further files: causes with both sides, and every change by operation. */
export function htmlReport(report: Report): string {
  const { base, revision, changes, causes, failures, notes, conclusion } = report;
  const { words } = headlineOf(report);
  const title = `API changes: ${words}`;
  const lines = [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    "<header>",
    `<h1>${escapeHtml(title)}</h1>`,
    `<p>${sideOf(base)} → ${sideOf(revision)}</p>`,
    `<p>${escapeHtml(conclusion)}</p>`,
    "</header>",
    "<main>",
    ...(failures.length === 0
      ? []
      : [
          '<section aria-labelledby="failures"><h2 id="failures">Why the run fails besides</h2><ul>',
          ...failures.map(
            ({ rule, place, message }) =>
              `<li><code>${escapeHtml(rule)}</code> at <code>${escapeHtml(place)}</code>: ${escapeHtml(message)}</li>`,
          ),
          "</ul></section>",
        ]),
    ...(notes.length === 0
      ? []
      : [
          '<section aria-labelledby="notes"><h2 id="notes">Notes</h2><ul>',
          ...notes.map((note) => `<li>${escapeHtml(note)}</li>`),
          "</ul></section>",
        ]),
    ...(changes.length === 0 ? [] : filters(report)),
    ...(causes.length === 0
      ? []
      : [
          `<section aria-labelledby="causes"><h2 id="causes">${counted(causes.length, "cause")}, the worst first</h2>`,
          ...causes.map((cause, index) => causeCard(report, cause, index)),
          "</section>",
          '<section aria-labelledby="operations"><h2 id="operations">By operation</h2>',
          ...tree(report),
          "</section>",
        ]),
    "</main>",
    `<script>${script}</script>`,
    "</body>",
    "</html>",
  ];
  return `${lines.join("\n")}\n`;
}

const sideOf = ({ name, version }: Report["base"]): string =>
  `<code>${escapeHtml(name)}</code>${version === "" ? "" : ` (${escapeHtml(version)})`}`;

function filters({ changes }: Report): readonly string[] {
  const options = (values: readonly string[]): string =>
    ["", ...new Set(values)]
      .map((value) => `<option value="${escapeHtml(value)}">${escapeHtml(value) || "all"}</option>`)
      .join("");
  const operations = changes.flatMap((change) => change.operations).toSorted();
  return [
    '<form class="filters" aria-label="Filter">',
    `<label>Operation <input type="search" name="operation" list="all-operations" placeholder="GET /path"></label>`,
    `<datalist id="all-operations">${options(operations)}</datalist>`,
    `<label>Rule <select name="rule">${options(changes.map(({ rule }) => rule).toSorted())}</select></label>`,
    `<label>Severity <select name="severity">${options(changes.map(severityOf))}</select></label>`,
    '<output aria-live="polite"></output>',
    "</form>",
  ];
}

const severityOf = ({ verdict, approval }: Pick<Cause, "verdict" | "approval">): string =>
  approval === null ? verdict : "approved";

const badge = (of: Pick<Cause, "verdict" | "approval">): string =>
  `<span class="badge ${severityOf(of)}">${severityOf(of)}</span>`;

/** What the script filters by; a unit separator stands between the operations. */
const filterData = (
  of: Pick<Cause, "verdict" | "approval" | "rule">,
  operations: readonly string[],
) =>
  `data-rule="${escapeHtml(of.rule)}" data-severity="${severityOf(of)}" data-operations="${escapeHtml(operations.join(" · "))}"`;

/** Further places of a cause are folded. */
const mostOpen = 5;

function causeCard(report: Report, cause: Cause, index: number): string {
  const { rule, direction, message, who, fix, affects, operations, approval, breaks } = cause;
  const changes = changesOf(report, cause);
  return [
    `<article id="cause-${index}" ${filterData(cause, operations)}>`,
    `<h3>${badge(cause)} ${escapeHtml(message)}</h3>`,
    `<p><code>${escapeHtml(rule)}</code>, ${direction}${affects.length === 0 ? "" : `, ${affects.join(", ")}`}</p>`,
    ...(breaks ? [`<p>${escapeHtml(who)} ${escapeHtml(fix)}</p>`] : []),
    ...(approval === null
      ? []
      : [`<p>Approved: ${escapeHtml(approval.reason)} (until ${escapeHtml(approval.expiry)})</p>`]),
    ...changes.slice(0, mostOpen).map(sides),
    ...(changes.length <= mostOpen
      ? []
      : [
          `<details class="more"><summary>${counted(changes.length - mostOpen, "more place")}</summary>`,
          ...changes.slice(mostOpen).map(sides),
          "</details>",
        ]),
    operationList(operations),
    "</article>",
  ].join("\n");
}

function operationList(operations: readonly string[]): string {
  if (operations.length < 2) return "";
  const items = operations.map((each) => `<li><code>${escapeHtml(each)}</code></li>`).join("");
  return `<details><summary>${operations.length} operations</summary><ul>${items}</ul></details>`;
}

function sides(change: ReportedChange): string {
  const { place, locations, values, approvalEntry } = change;
  const side = (name: string, key: "base" | "revision"): string =>
    `<div><h4>${name} <code>${escapeHtml(spotText(locations[key]))}</code></h4><pre tabindex="0">${escapeHtml(values[key] ?? "absent")}</pre></div>`;
  const entry =
    approvalEntry === null
      ? ""
      : `<details><summary>Approve it</summary><pre tabindex="0">${escapeHtml(approvalEntry)}</pre></details>`;
  return `<div class="change" ${filterData(change, change.operations)}><p class="place"><code>${escapeHtml(place)}</code></p><div class="sides">${side("Before", "base")}${side("After", "revision")}</div>${entry}</div>`;
}

/** Operation → part → member. */
function tree({ changes, causes }: Report): readonly string[] {
  const causeOf = new Map(
    causes.flatMap((cause, index) => cause.changes.map((change) => [change, index] as const)),
  );
  const leaves = changes.flatMap((change, index) => {
    const parts =
      change.parts.length > 0
        ? change.parts
        : [{ operation: change.operations[0] ?? "Whole document", name: change.direction }];
    return parts.map((part) => ({ ...part, change, cause: causeOf.get(index) ?? 0 }));
  });
  return [...groupBy(leaves, ({ operation }) => operation)].flatMap(([operation, own]) => [
    `<details class="branch"><summary><code>${escapeHtml(operation)}</code> <span class="count">${own.length}</span></summary>`,
    ...[...groupBy(own, ({ name }) => name)].flatMap(([name, group]) => [
      `<details class="branch" open><summary>${escapeHtml(name)}</summary><ul>`,
      ...group.map(
        ({ change, cause }) =>
          `<li ${filterData(change, [operation])}>${badge(change)} ${change.member === null ? "" : `<code>${escapeHtml(change.member)}</code>: `}<a href="#cause-${cause}">${escapeHtml(change.message)}</a>${pair(change)}</li>`,
      ),
      "</ul></details>",
    ]),
    "</details>",
  ]);
}

/** Both values in one line, where they are short. */
function pair({ values }: ReportedChange): string {
  const [before, after] = [values.base ?? "absent", values.revision ?? "absent"];
  if (before.length + after.length > 160) return "";
  return ` <span class="pair"><code>${escapeHtml(before)}</code> → <code>${escapeHtml(after)}</code></span>`;
}

export const escapeHtml = (text: string): string =>
  oneLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
