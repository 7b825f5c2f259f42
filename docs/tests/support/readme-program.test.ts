import { expect, test } from "vitest";
import { readmeProgram } from "./readme-program.ts";

test("joins the blocks of a README to a program", () => {
  const block = (text: string): string => `Text.\n\n\`\`\`ts\n${text}\n\`\`\`\n`;
  const readme =
    block('import { a, type B } from "m";\nconst x: B = a();') +
    block(
      'import {\n  a,\n  c,\n} from "m";\nimport e from "e";\nimport type { D } from "n";\nconst y: D = c(x);',
    ) +
    "```ts [file.ts]\nnot this\n```\n";
  expect(readmeProgram(readme)).toBe(
    [
      'import { a, type B, c } from "m";',
      'import { type D } from "n";',
      'import e from "e";',
      "const x: B = a();",
      "{",
      "const y: D = c(x);",
      "}",
    ].join("\n"),
  );
  expect(readmeProgram("Text.\n")).toBe("");
});
