import type { CaseResult, Report } from "./report.ts";

/** The report for people: failures in full, then what was not run, then the figures. */
export function textReport(report: Report): string {
  const { cases, coverage } = report;
  const failed = cases.filter(({ outcome }) => outcome === "failed");
  const lines = [
    ...failed.flatMap(describe),
    ...notRun(cases),
    ...coverage.missing.map(
      ({ operation, status, reason }) => `not obtained: ${operation} ${status}: ${reason}`,
    ),
    ...report.problems.map((problem) => `problem: ${problem}`),
    `${cases.length} cases against ${report.baseUrl}: ${report.passed} passed, ` +
      `${report.failed} failed, ${report.notRun} not run`,
    `${coverage.covered} of ${coverage.total} documented answers obtained, of ${coverage.operations} operations`,
    ...(report.leftOut > 0 ? [`${report.leftOut} operations left out`] : []),
    `${report.requests} requests in ${(report.milliseconds / 1_000).toFixed(1)} s` +
      (report.waitedSeconds > 0 ? `, ${report.waitedSeconds} s of it waiting for rate limits` : ""),
  ];
  return `${lines.join("\n")}\n`;
}

function describe({ id, failures }: CaseResult): readonly string[] {
  return [
    `FAILED ${id}`,
    ...failures.flatMap(({ message, expected, got, request }) => [
      `  ${message}`,
      ...(expected === undefined ? [] : [`    expected: ${indented(expected)}`]),
      ...(got === undefined ? [] : [`    got:      ${indented(got)}`]),
      ...(request === undefined ? [] : [`    ${request}`]),
    ]),
    "",
  ];
}

const indented = (text: string): string => text.replaceAll("\n", "\n              ");

/** One line for each need. */
function notRun(cases: readonly CaseResult[]): readonly string[] {
  const left = cases.filter(({ outcome }) => outcome === "not run");
  const groups = Map.groupBy(left, ({ needs }) => needs.join(" and "));
  return [...groups].map(([needs, group]) => `not run: ${group.length} cases, which need ${needs}`);
}
