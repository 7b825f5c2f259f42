import { describe, expect, test } from "vitest";
import { blocksOf, stepsOf } from "./blocks.ts";

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

describe("stepsOf", () => {
  const steps = (text: string) => stepsOf(blocksOf(text));

  test("pairs commands with their output", () => {
    expect(
      steps(page("```bash", "a", "```", "```json", "{}", "```", "```bash", "b", "```")),
    ).toMatchObject([
      { kind: "run", block: { text: "a" }, output: { text: "{}" } },
      { kind: "run", block: { text: "b" }, output: undefined },
    ]);
  });

  test("treats a block with a file name as a file", () => {
    expect(steps(page("```json [a.json]", "{}", "```"))).toMatchObject([
      { kind: "file", name: "a.json" },
    ]);
  });

  test("rejects output without a command, and an unsupported language", () => {
    expect(() => steps(page("```json", "{}", "```"))).toThrow(/line 1: a json block/);
    expect(() => steps(page("```python", "x", "```"))).toThrow(/line 1: a python block/);
    expect(() =>
      steps(page("```bash", "a", "```", "```text", "", "```", "```text", "", "```")),
    ).toThrow(/line 7/);
  });
});
