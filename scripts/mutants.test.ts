import { resolve } from "node:path";
import { expect, test } from "vitest";
import { nameOf, problemsOf } from "./mutants/fault.ts";
import { faults } from "./mutants/faults/index.ts";

const root = resolve(import.meta.dirname, "..");

test("every planted fault's text occurs once in its file, and its tests exist", () => {
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.flatMap((fault) => problemsOf(fault, root))).toEqual([]);
});

test("every planted fault is described once", () => {
  const names = faults.map(nameOf);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  const edits = faults.map(({ file, text, replacement }) =>
    JSON.stringify([file, text, replacement]),
  );
  expect(edits.filter((edit, at) => edits.indexOf(edit) !== at)).toEqual([]);
});

test("a fault that can no longer be planted is named with what is wrong", () => {
  const fault = {
    group: "example",
    breaks: "does nothing",
    file: "scripts/mutants/fault.ts",
    text: "a text that this file does not contain",
    replacement: "other",
    tests: ["scripts/no-such.test.ts"],
  };
  expect(problemsOf(fault, root)).toEqual([
    "example: does nothing: expected once in scripts/mutants/fault.ts, but found 0 times: a text that this file does not contain",
    "example: does nothing: scripts/no-such.test.ts does not exist",
  ]);
  expect(problemsOf({ ...fault, text: "fault", tests: [] }, root)).toEqual([
    expect.stringMatching(
      /^example: does nothing: expected once in .*, but found \d+ times: fault$/,
    ),
    "example: does nothing: no tests are named",
  ]);
  expect(
    problemsOf({ ...fault, file: "none.ts", tests: ["scripts/mutants.test.ts"] }, root),
  ).toEqual(["example: does nothing: none.ts does not exist"]);
});
