import { expect, test } from "vitest";
import { describeError, systemCode } from "./describe-error.ts";

test.each([
  [new Error("the reason"), "the reason"],
  ["the reason", "the reason"],
  [new TypeError(""), "TypeError"],
  [
    new AggregateError([new Error("first"), new Error("second"), new Error("first")]),
    "first; second",
  ],
])("describes %s in one line", (error, line) => {
  expect(describeError(error)).toBe(line);
});

test("recognises system errors by their code", () => {
  expect(systemCode(Object.assign(new Error(), { code: "ENOSPC" }))).toBe("ENOSPC");
  expect(systemCode(Object.assign(new Error(), { code: 14 }))).toBeUndefined();
  expect(systemCode("ENOSPC")).toBeUndefined();
});
