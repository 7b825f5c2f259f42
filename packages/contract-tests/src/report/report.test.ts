import { expect, test } from "vitest";
import { junitReport } from "./junit.ts";
import type { CaseResult, Report } from "./report.ts";
import { textReport } from "./text.ts";

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
];

const report: Report = {
  baseUrl: "http://h",
  cases,
  passed: 1,
  failed: 1,
  notRun: 1,
  leftOut: 4,
  coverage: {
    operations: 1,
    covered: 1,
    total: 2,
    missing: [{ operation: "a.get", status: 500, reason: "needs faults" }],
  },
  problems: ["2 of things were left behind"],
  requests: 3,
  milliseconds: 1234,
  waitedSeconds: 0,
  ok: false,
};

test("the text tells failures, what was left out, and the figures", () => {
  expect(textReport(report)).toBe(`FAILED a.get 200 answer: bad
  wrong <status> & "more"
    expected: 200
    got:      500
              no\u0000
    curl 'x'

not run: 1 cases, which need faults
not obtained: a.get 500: needs faults
problem: 2 of things were left behind
3 cases against http://h: 1 passed, 1 failed, 1 not run
1 of 2 documented answers obtained, of 1 operations
4 operations left out
3 requests in 1.2 s
`);
});

test("the JUnit form is well-formed XML", () => {
  expect(junitReport(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="contract tests" tests="3" failures="1" skipped="1" time="1.234">
<testsuite name="a.get" tests="3" failures="1" skipped="1">
<testcase classname="a.get" name="200 answer: good" time="0.012"/>
<testcase classname="a.get" name="200 answer: bad" time="0.012"><failure message="wrong &lt;status&gt; &amp; &quot;more&quot;">expected: 200
got: 500
no�
curl 'x'</failure></testcase>
<testcase classname="a.get" name="500 answer: forced" time="0.012"><skipped message="needs faults"/></testcase>
</testsuite>
</testsuites>
`);
});
