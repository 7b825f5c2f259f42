import { describe, expect, test } from "vitest";
import { compareCodePoints, foldCase, textKey, wordSequence, wordsOf } from "./text.ts";

describe("foldCase", () => {
  test("folds letters beyond ASCII, and all forms of sigma alike", () => {
    expect(foldCase("MÜLLER")).toBe("müller");
    expect(foldCase("𐐀")).toBe("𐐨");
    expect(foldCase("ΟΔΟΣ")).toBe(foldCase("οδος"));
    expect(foldCase("ΑΣ")).toBe(foldCase("Α") + foldCase("Σ"));
  });
});

describe("textKey", () => {
  test("keeps folded letters and digits of any script", () => {
    expect(textKey("Node-01, (old)")).toBe("node01old");
    expect(textKey("Größe №５ 中")).toBe("größe５中");
    expect(textKey("*** ")).toBe("");
  });
});

describe("wordSequence", () => {
  test("has the folded words in order, and wordsOf each of them once", () => {
    expect(wordSequence("Node-01: NODE, Größe")).toEqual(["node", "01", "node", "größe"]);
    expect(wordsOf("Node-01: NODE, Größe")).toEqual(["node", "01", "größe"]);
    expect([wordSequence("*** "), wordSequence("")]).toEqual([[], []]);
  });

  test("ignores the characters of a word after the 64th, and never cuts one in half", () => {
    const letter = "𐐨";
    expect(wordSequence(`${"a".repeat(64)} ${"a".repeat(65)}`)).toEqual(
      Array.from({ length: 2 }, () => "a".repeat(64)),
    );
    expect(wordSequence(letter.repeat(65))).toEqual([letter.repeat(64)]);
  });
});

describe("compareCodePoints", () => {
  test("is not the order of code units", () => {
    const [tilde, face] = ["\uFF5E", "😀"];
    expect(compareCodePoints(tilde, face)).toBeLessThan(0);
    expect(tilde < face).toBe(false);
  });

  test("puts a prefix first", () => {
    expect(compareCodePoints("a", "ab")).toBeLessThan(0);
    expect(compareCodePoints("ab", "b")).toBeLessThan(0);
    expect(compareCodePoints("b", "b")).toBe(0);
  });
});
