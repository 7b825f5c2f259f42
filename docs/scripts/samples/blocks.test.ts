import { describe, expect, test } from "vitest";
import { blocksOf } from "./blocks.ts";

const page = (...lines: string[]): string => lines.join("\n");

describe("blocksOf", () => {
  test("finds language, title, flags, text and line", () => {
    const text = page(
      "# T",
      "```bash start",
      "a",
      "",
      "b",
      "```",
      "x",
      "```ts [a b.ts]",
      "c",
      "```",
    );
    expect(blocksOf(text)).toEqual([
      { language: "bash", title: undefined, flags: ["start"], text: "a\n\nb", line: 2 },
      { language: "ts", title: "a b.ts", flags: [], text: "c", line: 8 },
    ]);
  });

  test("supports a longer fence with a shorter one inside", () => {
    expect(blocksOf(page("````text", "```", "````"))[0]?.text).toBe("```");
  });

  test("rejects a block without an end", () => {
    expect(() => blocksOf(page("x", "```json", "{}"))).toThrow(/block at line 2/);
  });
});
