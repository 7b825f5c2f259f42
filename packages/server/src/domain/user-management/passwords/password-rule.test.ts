import { expect, test } from "vitest";
import { passwordProblems } from "./password-rule.ts";

test.each([
  ["Correct-horse-7", undefined],
  ["Blank is special 7", undefined],
  ["Übergroß7#", undefined],
  ["correct-horse-7", "an upper-case letter"],
  ["CORRECT-HORSE-7", "a lower-case letter"],
  ["Correct-horse-battery", "a digit"],
  ["Correcthorse7", "one of `#?!@$ %^&*-`"],
  ["Correct_horse7", "one of `#?!@$ %^&*-`"],
  ["correcthorse", "an upper-case letter, a digit, one of `#?!@$ %^&*-`"],
])("%s", (password, missing) => {
  expect(passwordProblems(password, "body.password")).toEqual(
    missing === undefined ? [] : [{ at: "body.password", message: `also expected ${missing}` }],
  );
});

test("no password is no problem", () => {
  expect(passwordProblems(undefined, "body.password")).toEqual([]);
});
