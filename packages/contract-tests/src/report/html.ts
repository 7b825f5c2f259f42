import { tokenCommand } from "./token-command.ts";
import type { CaseResult, Report } from "./report.ts";
import { groupBy } from "../group-by.ts";

/** The report as one HTML page without external resources. */
export function htmlReport(report: Report): string {
  const failed = report.cases.filter(({ outcome }) => outcome === "failed");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Contract tests of ${text(report.baseUrl)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Contract tests</h1>
<p>${text(report.baseUrl)} · seed <code>${text(report.seed)}</code> · ${report.requests} requests in ${(report.milliseconds / 1_000).toFixed(1)} s${report.interrupted ? " · <strong>ended early</strong>" : ""}</p>
</header>
<main>
${tiles(report)}
${failures(report, failed)}
${problems(report)}
${laws(report)}
${operations(report)}
${notRun(report)}
</main>
</body>
</html>
`;
}

const tiles = ({ cases, passed, failed, notRun: left, notImplemented, coverage }: Report): string =>
  section(
    "Result",
    `<div class="tiles">${[
      tile(`${passed}`, `of ${cases.length} cases passed`, "good"),
      tile(`${failed}`, "failed", failed > 0 ? "bad" : "good"),
      tile(`${left}`, "not run", left > 0 ? "idle" : "good"),
      tile(`${notImplemented}`, "not implemented", notImplemented > 0 ? "idle" : "good"),
      tile(`${coverage.covered} / ${coverage.total}`, "documented responses obtained", "plain"),
      tile(
        `${coverage.parameters.covered} / ${coverage.parameters.total}`,
        "parameters sent",
        "plain",
      ),
      tile(
        `${coverage.members.covered} / ${coverage.members.total}`,
        "members of bodies sent",
        "plain",
      ),
    ].join("")}</div>`,
  );

const tile = (figure: string, label: string, kind: string): string =>
  `<div class="tile ${kind}"><b>${figure}</b><span>${label}</span></div>`;

function failures(report: Report, failed: readonly CaseResult[]): string {
  if (failed.length === 0) return section("Failures", "<p>No case failed.</p>");
  const items = failed.map(
    ({ id, failures: found }) =>
      `<details open><summary><code>${text(id)}</code></summary>${found
        .map(
          ({ message, expected, got, request }) =>
            `<div class="failure"><p>${text(message)}</p>${pair("expected", expected)}${pair("got", got)}${
              request === undefined ? "" : `<pre class="command">${text(request)}</pre>`
            }</div>`,
        )
        .join("")}</details>`,
  );
  const hint = `<p>Each command repeats a request. Set <code>$TOKEN</code> first; records that a case created are kept with <code>--keep-records</code>.</p><pre class="command">${text(tokenCommand(report))}</pre>`;
  return section(`Failures (${failed.length})`, hint + items.join("\n"));
}

const pair = (name: string, value: string | undefined): string =>
  value === undefined ? "" : `<dl><dt>${name}</dt><dd><pre>${text(value)}</pre></dd></dl>`;

function problems({ problems: found, extraHeaders }: Report): string {
  const headers = Object.entries(extraHeaders).map(
    ([header, times]) => `undocumented ${header}, in ${times} responses`,
  );
  const lines = [...found, ...headers];
  if (lines.length === 0) return "";
  return section("Notes", `<ul>${lines.map((line) => `<li>${text(line)}</li>`).join("")}</ul>`);
}

const outcomes = ["passed", "failed", "not run", "not implemented"] as const;

function laws({ cases }: Report): string {
  const rows = [...groupBy(cases, ({ law }) => law)].map(([law, group]) =>
    row([`<code>${law}</code>`, ...counts(group)]),
  );
  return section("Laws", table(["law", ...outcomes], rows));
}

function operations({ cases, coverage }: Report): string {
  const byOperation = groupBy(cases, ({ operation }) => operation);
  const rows = coverage.byOperation.map(
    ({ operation, statuses, parameters, members, missingParameters, missingMembers }) => {
      const group = byOperation.get(operation) ?? [];
      const marks = statuses.map(
        ({ status, obtained }) => `<i class="${obtained ? "hit" : "miss"}">${status}</i>`,
      );
      const isBad = group.some(({ outcome }) => outcome === "failed");
      return row(
        [
          `<code>${text(operation)}</code>`,
          marks.join(""),
          share(parameters, missingParameters),
          share(members, missingMembers),
          String(new Set(group.map(({ law }) => law)).size),
          ...counts(group),
        ],
        isBad ? "failed" : "",
      );
    },
  );
  const head = ["operation", "statuses obtained", "parameters", "members", "laws", ...outcomes];
  return section(`Operations (${rows.length})`, table(head, rows));
}

const share = (
  { covered, total }: { readonly covered: number; readonly total: number },
  missing: readonly string[],
): string =>
  total === 0
    ? "–"
    : `<span${missing.length === 0 ? "" : ` title="not sent: ${text(missing.join(", "))}"`}>${covered} / ${total}</span>`;

const counts = (group: readonly CaseResult[]): readonly string[] =>
  outcomes.map((outcome) => {
    const count = group.filter((each) => each.outcome === outcome).length;
    return count === 0 ? '<span class="none">0</span>' : String(count);
  });

function notRun({ cases }: Report): string {
  const left = cases.filter(({ outcome }) => outcome === "not run");
  if (left.length === 0) return "";
  const groups = groupBy(left, ({ needs }) => needs.join(" and "));
  const items = [...groups].map(
    ([needs, group]) =>
      `<details><summary>${group.length} cases need ${text(needs)}</summary><ul>${group
        .map(({ id }) => `<li><code>${text(id)}</code></li>`)
        .join("")}</ul></details>`,
  );
  return section(`Not run (${left.length})`, items.join("\n"));
}

const section = (title: string, body: string): string =>
  `<section><h2>${title}</h2>\n${body}\n</section>`;

const table = (head: readonly string[], rows: readonly string[]): string =>
  `<div class="scroll"><table><thead><tr>${head.map((each) => `<th>${each}</th>`).join("")}</tr></thead>\n<tbody>${rows.join("\n")}</tbody></table></div>`;

const row = (cells: readonly string[], kind = ""): string =>
  `<tr${kind === "" ? "" : ` class="${kind}"`}>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;

const text = (raw: string): string =>
  raw
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#59636e;--line:#d1d9e0;--page:#fff;--panel:#f6f8fa;--good:#1a7f37;--bad:#cf222e;--idle:#9a6700}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9198a1;--line:#3d444d;--page:#0d1117;--panel:#151b23;--good:#3fb950;--bad:#f85149;--idle:#d29922}}
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page)}
header,main{max-width:1200px;margin:0 auto;padding:0 24px}
h1{margin:32px 0 4px;font-size:28px}
h2{margin:32px 0 12px;font-size:19px}
header p{margin:0;color:var(--soft)}
code,pre{font:13px/1.45 ui-monospace,monospace}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.tiles{display:flex;flex-wrap:wrap;gap:12px}
.tile{flex:1 1 130px;padding:12px 16px;border:1px solid var(--line);border-radius:8px;background:var(--panel)}
.tile b{display:block;font-size:22px}
.tile span{color:var(--soft)}
.good b{color:var(--good)}.bad b{color:var(--bad)}.idle b{color:var(--idle)}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse}
th,td{padding:6px 10px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:600;white-space:nowrap}
tr.failed td:first-child{box-shadow:inset 3px 0 var(--bad)}
i{display:inline-block;margin:0 4px 4px 0;padding:0 6px;border-radius:4px;font-style:normal;font-size:13px;border:1px solid var(--line)}
i.hit{color:var(--good)}i.miss{color:var(--bad);text-decoration:line-through}
.none{color:var(--soft)}
details{margin:8px 0;border:1px solid var(--line);border-radius:8px}
summary{padding:8px 12px;cursor:pointer;background:var(--panel);border-radius:8px}
.failure{padding:8px 12px;border-top:1px solid var(--line)}
.failure p{margin:0 0 4px;font-weight:600}
dl{display:grid;grid-template-columns:80px 1fr;gap:4px;margin:2px 0}dt{color:var(--soft)}dd{margin:0}
.command{margin-top:6px;padding:8px 10px;border-radius:6px;background:var(--panel);border:1px solid var(--line)}
`;
