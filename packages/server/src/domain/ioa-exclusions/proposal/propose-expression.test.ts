import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growth, linearGrowth } from "../../../../../../testing/growth.ts";
import { checkExpression } from "../expression/check.ts";
import { compile, Compiled } from "../expression/compiled.ts";
import { proposeExpression, type SpecificEnd } from "./propose-expression.ts";

const matches = (expression: string, line: string): boolean => {
  const compiled = compile(expression);
  return compiled instanceof Compiled && compiled.matches(line);
};

test.each([
  [
    "\\Device\\HarddiskVolume3\\Windows\\System32\\cmd.exe",
    "\\\\Device\\\\HarddiskVolume\\d+\\\\Windows\\\\System32\\\\cmd\\.exe",
  ],
  ["C:\\Users\\John Smith\\tool.exe", "C:\\\\Users\\\\[^\\\\/]+\\\\tool\\.exe"],
  ["C:\\Users\\Public\\tool.exe", "C:\\\\Users\\\\Public\\\\tool\\.exe"],
  ["dir C:\\Users\\bob", "dir C:\\\\Users\\\\[^\\\\/]+"],
  ["/home/bob/bin/x", "/home/[^\\\\/]+/bin/x"],
  ["/Users/bob/bin/x", "/Users/[^\\\\/]+/bin/x"],
  ["x {550E8400-e29b-41d4-a716-446655440000}", "x \\{[0-9a-f-]{36}\\}"],
  ["app 10.2.3 v1.2.3 app-4.5", "app \\d+(\\.\\d+)+ v\\d+(\\.\\d+)+ app-\\d+(\\.\\d+)+"],
  [
    "C:\\Windows\\Temp\\is-AB12C.tmp\\setup.exe",
    "C:\\\\Windows\\\\Temp\\\\[^\\\\/\\s]+\\.tmp\\\\setup\\.exe",
  ],
  ["C:\\Windows\\Temp\\setup.exe", "C:\\\\Windows\\\\Temp\\\\setup\\.exe"],
  ["/tmp/tmpa8f3/run.sh", "/tmp/[^\\\\/\\s]+/run\\.sh"],
  ["C:\\data\\abc.tmp", "C:\\\\data\\\\[^\\\\/\\s]+\\.tmp"],
  ["S-1-5-21-1004336348-1177238915-682003330-512", "S-1-[\\d-]+"],
  ["h 9f86d081884c7d65 0xFFEE facade decades1", "h [0-9a-f]+ 0x[0-9a-f]+ facade decades1"],
  ["--at 2026-03-02T11:20:05.410Z", "--at [\\d:.TZ-]+"],
  ["--n 7 x64 sha256 build20260302", "--n \\d+ x64 sha256 build\\d+"],
  ["a\nb\tc\u0000d\u202ee", "a\\nb\\tc\\x{0}d\\x{202e}e"],
  ["\ud800x", ".x"],
])("%j becomes %s", (line, expected) => {
  expect(proposeExpression(line, "start")).toBe(expected);
  expect(matches(expected, line)).toBe(true);
});

test("a line that is too long keeps its more specific end", () => {
  const path = `\\Device\\${"very long folder\\".repeat(40)}tool.exe`;
  const file = proposeExpression(path, "end");
  expect(file.length).toBeLessThanOrEqual(256);
  expect(file).toMatch(/^\.\*\\\\very long folder.*\\\\tool\\\.exe$/);
  const command = proposeExpression(`tool.exe --first ${"x ".repeat(500)}`, "start");
  expect(command).toMatch(/^tool\\\.exe --first x x .*\.\*$/);
  expect(command.length).toBeLessThanOrEqual(256);
  expect(matches(file, path.replace("\\Device", "\\Other"))).toBe(true);
  expect(matches(file, path.replace("tool", "fool"))).toBe(false);
});

test("matches volatile parts, and no other changes", () => {
  const line = "C:\\Users\\ann\\AppData\\Local\\Temp\\tmp81.exe --job 4711 --mode fast";
  const expression = proposeExpression(line, "start");
  const other = "C:\\Users\\Bob B\\AppData\\Local\\Temp\\tmp9042.exe --job 12 --mode fast";
  expect(matches(expression, other)).toBe(true);
  expect(matches(expression, other.replace("fast", "slow"))).toBe(false);
  expect(matches(expression, other.replace("\\Temp", "\\Desktop"))).toBe(false);
  expect(matches(expression, `${other} & evil.exe`)).toBe(false);
});

const fragments = fc.constantFrom(
  "\\Users\\",
  "/home/",
  "\\Temp\\",
  "/tmp/",
  "C:\\",
  "HarddiskVolume",
  "S-1-5-",
  "0x",
  "~",
  ".tmp",
  ".exe",
  '"',
  "'",
  "--x=",
  "$(",
  "%TEMP%",
  "^",
  "`",
  "*.*",
  "[a-z]+",
  "\\Q",
  "\\E",
  "(?i)",
  "{36}",
  "550e8400-e29b-41d4-a716-446655440000",
  "2026-03-02T11:20:05Z",
  "1.2.3.4",
  "\r\n",
  "\u0000",
  "\u2028",
  "\ud800",
  "\udc00",
  "\ufffd",
  "\u{1f600}",
  "ſ",
  "K",
  "İ",
  "ß",
  "//",
  "\\\\",
  " ",
  "\t",
  "deadbeef12",
  "99999999999999999999999",
  "a".repeat(300),
);
const hostile = fc
  .oneof(
    fc
      .array(fc.oneof(fragments, fc.string({ unit: "binary", maxLength: 20 })), {
        maxLength: 60,
      })
      .map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 600 }),
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 400 })
      .map((units) => String.fromCharCode(...units)),
    fc
      .tuple(fragments, fc.integer({ min: 1, max: 4_000 }))
      .map(([part, times]) => part.repeat(times).slice(0, 32_768)),
  )
  .filter((line) => line !== "");

describe("for any line", () => {
  test.each<SpecificEnd>(["start", "end"])(
    "the proposal matches it, is not too broad, and is short enough (%s)",
    (specificEnd) => {
      fc.assert(
        fc.property(hostile, (line) => {
          const expression = proposeExpression(line, specificEnd);
          expect(expression.length).toBeLessThanOrEqual(256);
          expect(checkExpression(expression)).toEqual({ broad: false });
          expect(matches(expression, line)).toBe(true);
        }),
        { numRuns: runs(300) },
      );
    },
  );
});

test.each(["\\Users\\", "0x", "a", "1.", "f0", "/tmp/", "S-1-1"])(
  "takes time in proportion to the line, which repeats %j",
  { tags: ["exhaustive", "nightly"] },
  async (part) => {
    const line = (length: number): string => part.repeat(length).slice(0, length);
    const grows = await growth(500, line, (input) => proposeExpression(input, "start"));
    expect(grows).toBeLessThan(linearGrowth);
  },
);
