/** @module-tag exhaustive */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sourceFiles } from "./source-files.ts";
import { patternsOf, superLinear } from "./super-linear.ts";

const root = join(import.meta.dirname, "..");
// The same on every system, without a program for it.
process.env["RECHECK_BACKEND"] = "pure";

/** Patterns that only match texts of this project or of the user who waits, by file, with the reason. */
const ownTexts: Readonly<Record<string, string>> = {
  "packages/cli/src/options/plain-error.ts":
    "messages of the command's parser about the user's own words",
  "packages/cli/src/database/url.ts": "the database URL of the user",
  "packages/cli/src/commands/exec/variables.ts": "files with certificates that the user trusts",
  "packages/spec-gate/src/consumers/statements.ts": "types that the gate itself writes",
};

const files = readdirSync(join(root, "packages")).flatMap((name) =>
  sourceFiles(root, `packages/${name}/src${name === "spec" ? "/schemas" : ""}`),
);

/** It compares thousands of patterns with long texts. */
const nightly = { tags: ["exhaustive", "nightly"], timeout: 1_200_000 };

test(
  "no pattern on texts of others needs more steps than in proportion to the text",
  nightly,
  () => {
    const found = new Map<string, string[]>();
    const unused = new Set(Object.keys(ownTexts));
    const known = new Map<string, string | null>();
    for (const file of files) {
      for (const { source, flags, line } of patternsOf(
        file,
        readFileSync(join(root, file), "utf8"),
      )) {
        const key = `/${source}/${flags}`;
        if (!known.has(key)) known.set(key, superLinear({ source, flags }));
        const problem = known.get(key);
        if (problem === null || problem === undefined) continue;
        unused.delete(file);
        if (file in ownTexts) continue;
        found.set(key, [...(found.get(key) ?? [problem]), `${file}:${line}`]);
      }
    }
    expect(known.size).toBeGreaterThan(400);
    expect(Object.fromEntries(found)).toEqual({});
    expect([...unused], "files of the list without such a pattern").toEqual([]);
  },
);

test("no pattern of the documents needs more steps than in proportion to the text", () => {
  const folder = join(root, "packages/spec/src/generated");
  const patterns = new Set<string>();
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
    JSON.parse(readFileSync(join(folder, name), "utf8"), (key, value: unknown) => {
      if (key === "pattern" && typeof value === "string") patterns.add(value);
      return value;
    });
  }
  expect(patterns.size).toBeGreaterThan(30);
  expect([...patterns].filter((source) => superLinear({ source, flags: "u" }) !== null)).toEqual(
    [],
  );
});

test.each([
  [/\s*# buildkit$/],
  [/(?<name>[a-z_]+)=(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^\s,"]+))/gi],
  [/\/+$/],
  [/^(a+)+$/],
  [/<Contents>(.*?)<\/Contents>/gs],
])("%s is refused", ({ source, flags }) => {
  expect(superLinear({ source, flags })).toMatch(/polynomial|exponential/);
});

test.each([[/^\w+$/], [/(?<!\/)\/+$/], [/\b[a-z]{1,64}:[^@]{1,128}@/]])(
  "%s is accepted",
  ({ source, flags }) => {
    expect(superLinear({ source, flags })).toBe(null);
  },
);

test("patterns are found in literals and in texts", () => {
  const text = `
    const literal = /a+/gi;
    const made = new RegExp("b+", "m");
    const inserted = RegExp(\`^\${name}\\\\s*=\`);
    const raw = new RegExp(String.raw\`\\d+\${end}$\`, "u");
    const theirs = [new RegExp(pattern), new RegExp(\`\${pattern}\`)];
  `;
  expect(patternsOf("text.ts", text)).toEqual([
    { source: "a+", flags: "gi", line: 2 },
    { source: "b+", flags: "m", line: 3 },
    { source: String.raw`^name\s*=`, flags: "", line: 4 },
    { source: String.raw`\d+name$`, flags: "u", line: 5 },
  ]);
});
