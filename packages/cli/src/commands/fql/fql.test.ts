import { checkFilter, parseFilter, parseSort } from "@security-platform/fql";
import { fqlTables } from "@security-platform/spec";
import { expect, test } from "vitest";
import { commandLine } from "../../testing/command-line.ts";
import { fieldRows } from "./field-rows.ts";

const fql = (...words: readonly string[]) => commandLine()(["fql", ...words]);
const ioc = "ioc.list-indicators";

test("accepts a valid filter and sort", async () => {
  const outcome = await fql("check", ioc, "severity:'high'", "--sort", "modified_on.desc");
  expect(outcome).toEqual({ exitCode: 0, stdout: "valid\n", stderr: "" });
  expect((await fql("check", "indicator.combined.v1", "")).exitCode).toBe(0);
});

test("shows all problems of a filter with a caret, and the nearest field", async () => {
  const filter = "severty:'high'+expired:>5";
  const { exitCode, stdout, stderr } = await fql("check", ioc, filter, "--sort", "tags");
  expect([exitCode, stderr]).toEqual([1, ""]);
  const [unknown = "", operator = "", sort = ""] = stdout.split("\n\n");
  expect(unknown.split("\n")).toEqual([
    "Invalid filter expression supplied: unknown field 'severty' at offset 0. Did you mean 'severity'?",
    filter,
    "^",
  ]);
  expect(operator).toContain("at offset 23");
  expect(operator.split("\n").at(-1)).toBe(`${" ".repeat(23)}^`);
  expect(sort).toContain("Invalid sort expression supplied: 'tags' does not support sorting");
});

test("prints the problems as JSON", async () => {
  const { exitCode, stdout } = await fql("check", ioc, "severity:'hgh'", "--json");
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    valid: false,
    filter: null,
    problems: [{ expression: "filter", offset: 9, suggestion: "high" }],
  });
  const valid = await fql("check", ioc, " severity : 'high' ", "--json");
  expect(JSON.parse(valid.stdout)).toEqual({
    valid: true,
    filter: "severity:'high'",
    problems: [],
  });
});

test.each([
  ["", ["all records"]],
  ["severity:'high'", ["records for which:", "  severity is 'high'"]],
  [
    "(severity:'high',tags:!'a')+value:*'*.example.com'",
    [
      "records for which:",
      "  all of these are true:",
      "    at least one of these is true:",
      "      severity is 'high'",
      "      no entry of tags is 'a'",
      "    value matches '*.example.com' (* is any text, ignoring case)",
    ],
  ],
  [
    "Severity:!['high','low']",
    ["records for which:", "  severity is not one of 'high', 'low', or has no value"],
  ],
  [
    "description:~'kit page'",
    [
      "records for which:",
      "  description contains 'kit page' (ignoring case, blanks and punctuation)",
    ],
  ],
  ["description:!*", ["records for which:", "  description has no value"]],
  ["description:!null", ["records for which:", "  description has a value"]],
  ["description:''", ["records for which:", "  description is empty or has no value"]],
  ["modified_on:>'now-7d'", ["records for which:", "  modified_on is after 7 days before now"]],
  [
    "modified_on:>='2024-02-29'",
    ["records for which:", "  modified_on is at or after the start of 2024-02-29"],
  ],
  ["modified_on:'last 1 day'", ["records for which:", "  modified_on is within the last 1 day"]],
  ["expired:true", ["records for which:", "  expired is true"]],
  ["severity_number:<50", ["records for which:", "  severity_number is less than 50"]],
])("explains %s", async (filter, lines) => {
  const { exitCode, stdout, stderr } = await fql("explain", ioc, filter);
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(`${lines.join("\n")}\n`);
});

test("shortens long lists, and shows control characters escaped", async () => {
  const values = Array.from({ length: 30 }, (_, index) => `'t${index}'`);
  const long = await fql("explain", ioc, `tags:[${values.join(",")}]`);
  expect(long.stdout).toContain("'t9' and 20 more");
  const hidden = await fql("explain", ioc, "tags:'\u001b[31m'", "--json");
  expect(hidden.stdout).not.toContain('\\u001b[31m"');
  expect(JSON.parse(hidden.stdout)).toMatchObject({
    resource: "indicators",
    explanation: "records for which:\n  an entry of tags is '\\u001b[31m'",
  });
});

test("refuses to explain an invalid filter", async () => {
  const { exitCode, stdout, stderr } = await fql("explain", ioc, "severity='high'");
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^secplat: Invalid filter expression supplied: .* at offset 8/);
});

test("lists the fields of an operation", async () => {
  const { exitCode, stdout } = await fql("fields", ioc);
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")[0]).toMatch(/^FIELD +TYPE +SORTS +OPERATORS +EXAMPLE$/);
  expect(stdout).toMatch(/^tags +list of string .* tags:\*'a\*'$/m);
  const { stdout: json } = await fql("fields", ioc, "--json");
  const rows = JSON.parse(json) as readonly object[];
  expect(rows).toContainEqual(
    expect.objectContaining({ field: "expired", type: "boolean", operators: [":", ":!"] }),
  );
});

test.each(Object.values(fqlTables))("has valid examples for $resource", ({ fields }) => {
  for (const { example, operators } of fieldRows(fields)) {
    if (operators.length === 0) expect(parseSort(example, fields)).toHaveLength(1);
    else expect([example, checkFilter(parseFilter(example), fields)]).toEqual([example, []]);
  }
});

const literals = {
  string: "'a'",
  number: "5",
  boolean: "true",
  timestamp: "'2024-01-01'",
  ip: "'192.0.2.1'",
};

test("lists exactly the operators that a type supports", () => {
  const all = [":", ":!", ":>", ":>=", ":<", ":<=", ":*", ":~", ":~*"];
  for (const type of ["string", "number", "boolean", "timestamp", "ip"] as const) {
    const fields = { x: { type } };
    const supported = all.filter(
      (operator) => checkFilter(parseFilter(`x${operator}${literals[type]}`), fields).length === 0,
    );
    expect([type, fieldRows(fields)[0]?.operators]).toEqual([type, supported]);
  }
});

test.each([
  ["indicator.combind.v1", "Did you mean indicator.combined.v1?"],
  ["ioc.list-indicator", "Did you mean ioc.list-indicators?"],
  ["platform.query.v1", "It has neither a filter nor a sort. These have fields: ioc."],
  ["LaunchExportJob", "The fields of its filter depend on the request."],
])("rejects the operation %s", async (operation, reason) => {
  const { exitCode, stdout, stderr } = await fql("fields", operation);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(reason);
});
