import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test.each([
  [["a", 1, true, null, undefined], "a,1,true,,\r\n"],
  [["a,b", 'say "x"', "two\nlines"], '"a,b","say ""x""","two\nlines"\r\n'],
  [[["one", "two"], []], "one;two,\r\n"],
  [[-1], "-1\r\n"],
])("%j", (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "＝1", "＋1", "－1", "＠x"])(
  "%j is not a formula in a spreadsheet",
  (text) => {
    expect(csvLine([text]).replace(/^"/, "")).toMatch(/^'/);
  },
);
