import { describe, expect, test } from "vitest";
import { blocksOf } from "../../scripts/samples/blocks.ts";
import { stepsOf } from "./steps.ts";

const page = (...lines: string[]): string => lines.join("\n");

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
