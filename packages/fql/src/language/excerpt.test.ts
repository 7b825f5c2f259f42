import { describe, expect, test } from "vitest";
import { clip, excerptAt } from "./excerpt.ts";

describe("excerptAt", () => {
  test("puts the caret under the offset", () => {
    expect(excerptAt("a:x", 2)).toBe("a:x\n  ^");
    expect(excerptAt("a:", 2)).toBe("a:\n  ^");
    expect(excerptAt("", 0)).toBe("\n^");
  });

  test("truncates a long text around the offset and marks the cuts", () => {
    const text = `${"b".repeat(100)}X${"c".repeat(100)}`;
    const [line = "", caret = ""] = excerptAt(text, 100).split("\n");
    expect(line).toMatch(/^…b+Xc+…$/);
    expect(line.length).toBeLessThan(80);
    expect(line[caret.indexOf("^")]).toBe("X");
  });

  test("stays on one line and replaces each unprintable code unit with one mark", () => {
    expect(excerptAt("a\n\u0000\u202E\uD83D:!", 6)).toBe("a····:!\n      ^");
  });
});

describe("clip", () => {
  test("keeps messages short and printable", () => {
    expect(clip("short")).toBe("short");
    expect(clip("a\tb")).toBe("a·b");
    expect(clip("x".repeat(1_000))).toBe(`${"x".repeat(60)}…`);
  });
});
