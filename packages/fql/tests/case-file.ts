import { readFileSync } from "node:fs";

/** One block of a case file: a filter or sort, and what is expected of it, line by line. */
export interface Case {
  readonly input: string;
  readonly expected: readonly string[];
}

/**
 * The cases of `tests/cases/<name>.txt`. Blocks stand apart by blank lines; `#` starts a comment;
 * `=> ` starts what is expected; the other lines are the input. `<U+0000>` stands for a character
 * that a text file had better not hold, a blank at either end of a line included.
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
