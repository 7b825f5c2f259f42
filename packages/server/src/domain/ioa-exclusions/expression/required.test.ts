import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, Compiled } from "./compiled.ts";
import { foldProcessText, requirementsOf } from "./required.ts";
import { simpleRequirements } from "./simple-requirements.ts";
import { stepsOf, treeOf } from "../../../expressions/tree.ts";

const required = (text: string) => {
  const tree = treeOf(text);
  return tree === null ? null : requirementsOf(tree);
};

test.each([
  [".*\\\\Harbour Backup\\\\tool\\.EXE", [["\\harbour backup\\tool.exe"]]],
  [".*--(snapshot|verify) \\d+", [["--"], ["snapshot", "verify"], [" "]]],
  ["(abc)+d?e{2}", [["abc"], ["e"]]],
  ["(abc)*x{0,3}", []],
  ["a|", []],
  ["[abc]d\\x41\\n\\Q.*\\E", [["da\n.*"]]],
  ["(?i)Ab(?:c)", [["ab"], ["c"]]],
  ["k\u212as\u017f", [["k"], ["s"]]],
  ["straße", [["stra"], ["e"]]],
  ["日本", [["日本"]]],
  ["(abc", null],
])("%s requires %j", (text, expected) => {
  expect(required(text)).toEqual(expected);
});

test("deeply nested expressions and unbalanced ones have no tree", () => {
  expect(treeOf(`${"(".repeat(101)}a${")".repeat(101)}`)).toBeNull();
  expect(treeOf(`${"(".repeat(99)}a${")".repeat(99)}`)).not.toBeNull();
  expect(treeOf("a)b")).toBeNull();
});

interface Sample {
  readonly text: string;
  /** A line that matches the expression. */
  readonly line: string;
}

/** Typical pieces of expressions, each with texts that match it. */
const pieces: readonly (readonly [string, readonly string[]])[] = [
  [".*", ["", "x\n", "kS"]],
  ["\\d+", ["1", "12"]],
  ["[a-k]", ["a", "K", "\u212a"]],
  ["\\\\", ["\\"]],
  ["k", ["k", "K", "\u212a"]],
  ["S", ["s", "S", "\u017f"]],
  ["\u017f", ["s", "S", "\u017f"]],
  ["\\x{4b}x", ["kx", "KX", "\u212aX"]],
  ["\\Qs+\\E", ["s+", "\u017f+"]],
  ["exe", ["exe", "EXE"]],
  ["ß", ["ß", "ẞ"]],
  ["σ", ["σ", "ς", "Σ"]],
  ["\u2126", ["ω", "Ω"]],
  ["å", ["\u212b", "Å"]],
  ["日", ["日"]],
  ["İ", ["İ"]],
  ["\\pL", ["s", "ß"]],
];
const piece: fc.Arbitrary<Sample> = fc
  .constantFrom(...pieces)
  .chain(([text, lines]) => fc.constantFrom(...lines).map((line) => ({ text, line })));
const samples: fc.Arbitrary<Sample> = fc.letrec<{ node: Sample }>((tie) => ({
  node: fc.oneof(
    { depthSize: "medium" },
    piece,
    fc
      .tuple(tie("node"), tie("node"))
      .map(([left, right]) => ({ text: left.text + right.text, line: left.line + right.line })),
    fc.tuple(tie("node"), tie("node"), fc.boolean()).map(([left, right, first]) => ({
      text: `(${left.text}|${right.text})`,
      line: first ? left.line : right.line,
    })),
    fc
      .tuple(
        tie("node"),
        fc.constantFrom(
          ["*", 0],
          ["*", 2],
          ["+", 1],
          ["?", 0],
          ["{2}", 2],
          ["{0,2}", 1],
          ["+?", 3],
        ),
      )
      .map(([{ text, line }, [repeat, times]]) => ({
        text: `(?:${text})${repeat}`,
        line: line.repeat(times as number),
      })),
  ),
})).node;
const expressions = samples.map(({ text }) => text);

describe("for any expression", () => {
  test("a line that it matches contains the required texts", () => {
    let held = 0;
    fc.assert(
      fc.property(samples, ({ text, line }) => {
        const expression = compile(text);
        const requirements = required(text);
        if (!(expression instanceof Compiled) || requirements === null) return;
        expect(expression.matches(line)).toBe(true);
        const folded = foldProcessText(line);
        for (const texts of requirements) {
          expect(texts.some((each) => folded.includes(each))).toBe(true);
          held += 1;
        }
      }),
      { numRuns: runs(1_000) },
    );
    expect(held).toBeGreaterThan(150);
  });

  test("the required texts are also found without a tree, or not at all", () => {
    const parts = fc.constantFrom(
      ".",
      "a",
      "K",
      "\\\\",
      "\\.",
      "\\d",
      "[a\\]b]",
      "[^]x]",
      "[[:alpha:]]",
      "*",
      "+",
      "?",
      "{2}",

      "{0,3}",
      "{,2}",
      "{x",
      "-",
      " ",
      "é",
      "(a)",
      "|",
      "\\n",
      "\\x41",
      "\\Qa\\E",
      "]",
      "}",
    );
    let simple = 0;
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (chosen) => {
        const text = chosen.join("");
        const simplified = simpleRequirements(text, foldProcessText);
        if (simplified === null || !(compile(text) instanceof Compiled)) return;
        simple += 1;
        // The two functions may split texts differently, but must require the same characters in the same
        // order.
        const joined = (requirements: readonly (readonly string[])[] | null) =>
          requirements?.map(([only]) => only).join("");
        expect(joined(simplified)).toBe(joined(required(text)));
      }),
      { numRuns: runs(1_500) },
    );
    expect(simple).toBeGreaterThan(150);
  });

  test("its size is known before it is compiled, to within a factor of four", () => {
    fc.assert(
      fc.property(expressions, (text) => {
        const expression = compile(text);
        const tree = treeOf(text);
        fc.pre(expression instanceof Compiled && tree !== null);
        expect(stepsOf(tree)).toBeGreaterThan(expression.steps / 4 - 4);
        expect(stepsOf(tree)).toBeLessThan(expression.steps * 4 + 4);
      }),
      { numRuns: runs() },
    );
  });
});
