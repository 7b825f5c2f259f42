import { expect, test } from "vitest";
import { htmlReport } from "./html.ts";
import { junitReport } from "./junit.ts";
import type { CaseResult, Report } from "./report.ts";
import { textReport } from "./text.ts";
import { tokenCommand } from "./token-command.ts";

const base = {
  operation: "a.get",
  status: 200,
  law: "answer",
  milliseconds: 12,
  failures: [],
  needs: [],
} as const;

const cases: readonly CaseResult[] = [
  { ...base, id: "a.get 200 answer: good", title: "good", outcome: "passed" },
  {
    ...base,
    id: "a.get 200 answer: bad",
    title: "bad",
    outcome: "failed",
    failures: [
      {
        message: 'wrong <status> & "more"',
        expected: "200",
        got: "500\nno\u0000",
        request: "curl 'x'",
      },
    ],
  },
  {
    ...base,
    id: "a.get 500 answer: forced",
    title: "forced",
    status: 500,
    outcome: "not run",
    needs: ["faults"],
  },
  {
    ...base,
    id: "b.get 200 answer: later",
    operation: "b.get",
    title: "later",
    outcome: "not implemented",
  },
];

const report: Report = {
  baseUrl: "http://h",
  clientId: "me",
  seed: "5eed",
  cases,
  passed: 1,
  failed: 1,
  notRun: 1,
  notImplemented: 1,
  extraHeaders: { "header via": 2 },
  interrupted: false,
  leftOut: 4,
  coverage: {
    operations: 1,
    covered: 1,
    total: 2,
    missing: [
      { operation: "a.get", status: 500, reason: "needs faults" },
      { operation: "a.get", status: 404, reason: "left out by the selection" },
    ],
    parameters: { covered: 1, total: 2 },
    members: { covered: 0, total: 0 },
    byOperation: [
      {
        operation: "a.get",
        statuses: [
          { status: 200, obtained: true },
          { status: 500, obtained: false },
        ],
        parameters: { covered: 1, total: 2 },
        members: { covered: 0, total: 0 },
        missingParameters: ["sort"],
        missingMembers: [],
      },
    ],
  },
  problems: ["2 of things were left behind"],
  requests: 3,
  milliseconds: 1234,
  waitedSeconds: 0,
  ok: false,
};

test("the text report contains failures, left-out operations and counts", () => {
  expect(textReport(report)).toBe(`FAILED a.get 200 answer: bad
  wrong <status> & "more"
    expected: 200
    got:      500
              no\u0000
    curl 'x'

to repeat a request: ${tokenCommand(report)}

not run: 1 cases, which need faults
not implemented by the target: b.get, 1 cases
not obtained: a.get 500: needs faults
not obtained: 1 answers left out by the selection
undocumented header via, in 2 responses
problem: 2 of things were left behind
4 cases against http://h: 1 passed, 1 failed, 1 not run, 1 not implemented
1 of 2 documented responses obtained, of 1 operations
4 operations left out
3 requests in 1.2 s; repeat with --seed 5eed
`);
});

test("the JUnit report is well-formed XML", () => {
  expect(junitReport(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="contract tests" tests="4" failures="1" skipped="2" time="1.234">
<testsuite name="a.get" tests="3" failures="1" skipped="1">
<testcase classname="a.get" name="200 answer: good" time="0.012"/>
<testcase classname="a.get" name="200 answer: bad" time="0.012"><failure message="wrong &lt;status&gt; &amp; &quot;more&quot;">expected: 200
got: 500
no�
curl 'x'</failure></testcase>
<testcase classname="a.get" name="500 answer: forced" time="0.012"><skipped message="needs faults"/></testcase>
</testsuite>
<testsuite name="b.get" tests="1" failures="0" skipped="1">
<testcase classname="b.get" name="200 answer: later" time="0.012"><skipped message="not implemented by the target (501)"/></testcase>
</testsuite>
</testsuites>
`);
});

test("the HTML report contains every count and failure, and loads nothing", () => {
  const page = htmlReport(report);
  expect(page).toContain("<b>1</b><span>of 4 cases passed</span>");
  expect(page).toContain("<b>1 / 2</b><span>documented responses obtained</span>");
  expect(page).toContain("wrong &lt;status&gt; &amp; &quot;more&quot;");
  expect(page).toContain("<pre class=\"command\">curl 'x'</pre>");
  expect(page).toContain('<i class="hit">200</i><i class="miss">500</i>');
  expect(page).toContain('<span title="not sent: sort">1 / 2</span>');
  expect(page).toContain("1 cases need faults");
  expect(page).not.toMatch(/<(script|link|img|iframe)|(src|href)=|@import|url\(/);
});
