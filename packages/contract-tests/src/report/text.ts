import { tokenCommand } from "./token-command.ts";
import { leftOut } from "./coverage.ts";
import type { CaseResult, MissingResponse, Report } from "./report.ts";
import { groupBy } from "../group-by.ts";

/** Maximum length of a command. Longer ones are only in the JSON and HTML reports. */
const longestCommand = 2_000;

/** The report for people: failures in full, then what was not run, then the figures. */
export function textReport(report: Report): string {
  const { cases, coverage } = report;
  const failed = cases.filter(({ outcome }) => outcome === "failed");
  const lines = [
    ...failed.flatMap(describe),
    ...(failed.length > 0 ? [`to repeat a request: ${tokenCommand(report)}`, ""] : []),
    ...notRun(cases),
    ...notImplemented(cases),
    ...notObtained(coverage.missing),
    ...Object.entries(report.extraHeaders).map(
      ([header, times]) => `undocumented ${header}, in ${times} responses`,
    ),
    ...report.problems.map((problem) => `problem: ${problem}`),
    `${cases.length} cases against ${report.baseUrl}: ${report.passed} passed, ` +
      `${report.failed} failed, ${report.notRun} not run` +
      (report.notImplemented > 0 ? `, ${report.notImplemented} not implemented` : ""),
    `${coverage.covered} of ${coverage.total} documented responses obtained, of ${coverage.operations} operations`,
    ...(report.leftOut > 0 ? [`${report.leftOut} operations left out`] : []),
    `${report.requests} requests in ${(report.milliseconds / 1_000).toFixed(1)} s` +
      (report.waitedSeconds > 0
        ? `, ${report.waitedSeconds} s of it waiting for rate limits`
        : "") +
      `; repeat with --seed ${report.seed}`,
    ...(report.interrupted ? ["ended early: the figures are not those of a whole run"] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** One line for each response; responses without a case are only counted. */
function notObtained(missing: readonly MissingResponse[]): readonly string[] {
  const withoutCase = missing.filter(({ reason }) => reason === leftOut).length;
  return [
    ...missing
      .filter(({ reason }) => reason !== leftOut)
      .map(({ operation, status, reason }) => `not obtained: ${operation} ${status}: ${reason}`),
    ...(withoutCase === 0 ? [] : [`not obtained: ${withoutCase} answers ${leftOut}`]),
  ];
}

function describe({ id, failures }: CaseResult): readonly string[] {
  return [
    `FAILED ${id}`,
    ...failures.flatMap(({ message, expected, got, request }) => [
      `  ${message}`,
      ...(expected === undefined ? [] : [`    expected: ${indented(expected)}`]),
      ...(got === undefined ? [] : [`    got:      ${indented(got)}`]),
      ...(request === undefined ? [] : [`    ${shortened(request)}`]),
    ]),
    "",
  ];
}

const indented = (text: string): string => text.replaceAll("\n", "\n              ");

const shortened = (command: string): string =>
  command.length <= longestCommand
    ? command
    : `${command.slice(0, longestCommand)}… (${command.length} characters; see --json or --html)`;

/** One line for each need. */
function notRun(cases: readonly CaseResult[]): readonly string[] {
  const left = cases.filter(({ outcome }) => outcome === "not run");
  const groups = groupBy(left, ({ needs }) => needs.join(" and "));
  return [...groups].map(([needs, group]) => `not run: ${group.length} cases, which need ${needs}`);
}

/** One line for each operation. */
function notImplemented(cases: readonly CaseResult[]): readonly string[] {
  const left = cases.filter(({ outcome }) => outcome === "not implemented");
  const groups = groupBy(left, ({ operation }) => operation);
  return [...groups].map(
    ([operation, group]) => `not implemented by the target: ${operation}, ${group.length} cases`,
  );
}
