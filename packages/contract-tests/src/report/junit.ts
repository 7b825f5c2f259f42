import type { CaseResult, Report } from "./report.ts";
import { groupBy } from "../group-by.ts";

/** The report as JUnit XML: one suite for each operation. */
export function junitReport(report: Report): string {
  const suites = groupBy(report.cases, ({ operation }) => operation);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="contract tests" tests="${report.cases.length}" failures="${report.failed}" skipped="${report.notRun + report.notImplemented}" time="${seconds(report.milliseconds)}">`,
    ...[...suites].map(([operation, cases]) => suite(operation, cases)),
    "</testsuites>",
    "",
  ].join("\n");
}

function suite(operation: string, cases: readonly CaseResult[]): string {
  const count = (outcome: CaseResult["outcome"]): number =>
    cases.filter((each) => each.outcome === outcome).length;
  return [
    `<testsuite name="${escape(operation)}" tests="${cases.length}" failures="${count("failed")}" skipped="${count("not run") + count("not implemented")}">`,
    ...cases.map(testCase),
    "</testsuite>",
  ].join("\n");
}

function testCase({ operation, status, law, title, outcome, ...rest }: CaseResult): string {
  const name = escape(`${status} ${law}: ${title}`);
  const start = `<testcase classname="${escape(operation)}" name="${name}" time="${seconds(rest.milliseconds)}"`;
  switch (outcome) {
    case "passed":
      return `${start}/>`;
    case "not run":
      return `${start}><skipped message="needs ${escape(rest.needs.join(", "))}"/></testcase>`;
    case "not implemented":
      return `${start}><skipped message="not implemented by the target (501)"/></testcase>`;
    case "failed":
      return `${start}>${rest.failures.map(failure).join("")}</testcase>`;
  }
}

const failure = ({ message, expected, got, request }: CaseResult["failures"][number]): string => {
  const detail = [
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(got === undefined ? [] : [`got: ${got}`]),
    ...(request === undefined ? [] : [request]),
  ];
  return `<failure message="${escape(message)}">${escape(detail.join("\n"))}</failure>`;
};

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(3);

const escape = (text: string): string =>
  text
    // XML 1.0 does not allow control characters.
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "�")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
