import { expect, test } from "vitest";
import { codeIn, tableRows } from "./tables.ts";

test("reads tables by their headers", () => {
  const page = [
    "x",
    "| A | B |",
    "| - | --- |",
    "| `1` | `a\\|b` |",
    "|  | 2 |",
    "",
    "| C |",
    "|--|",
    "| 3 |",
  ];
  expect(tableRows(page.join("\n"))).toEqual([
    { A: "`1`", B: "`a|b`", line: 4 },
    { A: "", B: "2", line: 5 },
    { C: "3", line: 9 },
  ]);
});

test("finds the code in a cell", () => {
  expect(codeIn("`a:'1'` or `b`, c")).toEqual(["a:'1'", "b"]);
});
