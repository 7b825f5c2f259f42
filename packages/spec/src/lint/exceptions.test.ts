import { expect, test } from "vitest";
import { applyExceptions } from "./exceptions.ts";
import type { Finding } from "./finding.ts";
import { SourceFile } from "./source-file.ts";

const finding: Finding = {
  rule: "described",
  file: "ioc/schemas/Thing.yaml",
  line: 3,
  found: "no description",
  expected: "a description",
};
const exceptions = (text: string) => new SourceFile("lint-exceptions.yaml", text);
const entry = `- rule: described
  file: ioc/schemas/Thing.yaml
  found: no description
`;

test("an entry with a reason removes its finding, on any line", () => {
  const findings = [finding, { ...finding, line: 9 }, { ...finding, file: "other.yaml" }];
  expect(applyExceptions(findings, exceptions(`${entry}  reason: It is obvious.\n`))).toEqual([
    { ...finding, file: "other.yaml" },
  ]);
});

test("an entry without a reason removes nothing", () => {
  expect(applyExceptions([finding], exceptions(entry))).toEqual([
    finding,
    expect.objectContaining({ rule: "used-exceptions", line: 1, found: "an incomplete entry" }),
  ]);
});

test("an unused entry is a finding", () => {
  expect(applyExceptions([], exceptions(`[]\n`))).toEqual([]);
  expect(applyExceptions([], exceptions(`\n${entry}  reason: Long gone.\n`))).toMatchObject([
    { line: 2, found: "an unused exception from described" },
  ]);
});
