import { describe, expect, test } from "vitest";
import { block, code, joinBlocks, prose, table } from "./markdown.ts";

describe("code", () => {
  test("survives backticks", () => {
    expect(code("a")).toBe("`a`");
    expect(code("a`b")).toBe("``a`b``");
    expect(code("`")).toBe("`` ` ``");
  });
});

describe("prose", () => {
  test("keeps code, and escapes everything else", () => {
    expect(prose("use `<a>` or <b>")).toBe("use `<a>` or &lt;b>");
    expect(prose("a_b *c* {{ d }}")).toBe(String.raw`a\_b \*c\* {<wbr>{ d }}`);
  });
});

describe("table", () => {
  test("separates cells", () => {
    expect(table(["A", "B"], [["x|y", undefined]])).toBe(
      ["| A | B |", "| --- | --- |", String.raw`| x\|y |  |`].join("\n"),
    );
    expect(table(["A"], [["x\ny"]])).toContain("| x y |");
    expect(table(["A"], [])).toBe("");
  });
});

describe("block", () => {
  test("has a longer fence than its text", () => {
    expect(block("text", "a\n")).toBe("```text\na\n```");
    expect(block("text", "```")).toBe("````text\n```\n````");
  });
});

test("joins non-empty blocks", () => {
  expect(joinBlocks(["a", "", "b"])).toBe("a\n\nb\n");
});
