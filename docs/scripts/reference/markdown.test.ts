import { describe, expect, it } from "vitest";
import { block, code, joinBlocks, prose, table } from "./markdown.ts";

describe("code", () => {
  it("survives backticks", () => {
    expect(code("a")).toBe("`a`");
    expect(code("a`b")).toBe("``a`b``");
    expect(code("`")).toBe("`` ` ``");
  });
});

describe("prose", () => {
  it("keeps code, and escapes everything else", () => {
    expect(prose("use `<a>` or <b>")).toBe("use `<a>` or &lt;b>");
    expect(prose("a_b *c* {{ d }}")).toBe(String.raw`a\_b \*c\* {<wbr>{ d }}`);
  });
});

describe("table", () => {
  it("separates cells", () => {
    expect(table(["A", "B"], [["x|y", undefined]])).toBe(
      ["| A | B |", "| --- | --- |", String.raw`| x\|y |  |`].join("\n"),
    );
    expect(table(["A"], [["x\ny"]])).toContain("| x y |");
    expect(table(["A"], [])).toBe("");
  });
});

describe("block", () => {
  it("has a longer fence than its text", () => {
    expect(block("text", "a\n")).toBe("```text\na\n```");
    expect(block("text", "```")).toBe("````text\n```\n````");
  });
});

it("joins non-empty blocks", () => {
  expect(joinBlocks(["a", "", "b"])).toBe("a\n\nb\n");
});
