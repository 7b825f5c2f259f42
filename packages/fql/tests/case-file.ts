import { readFileSync } from "node:fs";

/** One block of a case file: a filter or sort, and the expected lines. */
export interface Case {
  readonly input: string;
  readonly expected: readonly string[];
}

/**
 * The cases of `tests/cases/<name>.txt`. Blank lines separate the blocks; `#` starts a comment, and `=> `
 * an expected line; all other lines are input. `<U+0000>` represents a character that a text file should
 * not contain, such as a control character, or a blank at either end of a line.
 */
export function readCases(name: string): readonly Case[] {
  const text = readFileSync(new URL(`cases/${name}.txt`, import.meta.url), "utf8");
  return text.split(/\n\n+/).flatMap((block) => {
    const lines = block.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    const input = lines.filter((line) => !line.startsWith("=> ")).map(unescape);
    const expected = lines.filter((line) => line.startsWith("=> ")).map((line) => line.slice(3));
    return expected.length === 0 ? [] : [{ input: input.join("\n"), expected }];
  });
}

function unescape(line: string): string {
  return line.replaceAll(/<U\+([0-9A-F]{4,6})>/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}
