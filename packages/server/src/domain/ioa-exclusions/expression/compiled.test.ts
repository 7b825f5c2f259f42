import { expect, test } from "vitest";
import { growth, linearGrowth } from "../../../../../../testing/growth.ts";
import { compile, Compiled } from "./compiled.ts";

function compiled(text: string): Compiled {
  const expression = compile(text);
  if (!(expression instanceof Compiled)) throw new Error(expression.problem);
  return expression;
}

test.each([
  [".*\\\\tool\\.exe", "C:\\TOOL.EXE", true],
  ["tool", "C:\\tool", false],
  ["tool", "tool ", false],
  ["a.b", "a\nb", true],
  ["", "", true],
  ["straße", "STRAßE", true],
  [".", "\u{1f600}", true],
  [".", "\ud800", true],
])("%s against %j: %s", (text, line, matches) => {
  expect(compiled(text).matches(line)).toBe(matches);
});

test.each(["(a+)+", "(a|aa)+", "(a*)*", "(.*)(.*)(.*)(.*)(.*)x", "(a|a?)+", "(.*a){12}"])(
  "%s takes time in proportion to the line",
  async (text) => {
    const expression = compiled(text);
    const line = (length: number): string => `${"a".repeat(length)}!`;
    const grows = await growth(2_000, line, (input) => expression.matches(input));
    expect(grows).toBeLessThan(linearGrowth);
  },
);

test("reports how its memory grows with the lines that it matches", () => {
  const expression = compiled("(.*a.{12}b|.*b.{9}a).*x");
  const before = expression.bytes;
  let seed = 7;
  const noise = Array.from({ length: 5_000 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % 3 === 0 ? "a" : "b";
  }).join("");
  expression.matches(noise);
  expect(expression.bytes).toBeGreaterThan(before + 10_000);
});
