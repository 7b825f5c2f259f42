/** A changeset becomes one line of a changelog, for readers who decide whether a change concerns them. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { readChangesets } from "./spec-changeset.ts";

const root = resolve(import.meta.dirname, "..");
/** Longest text in characters. */
const longest = 135;

interface Changeset {
  readonly releases: readonly { readonly name: string }[];
  readonly summary: string;
}

const packageNames = ((): ReadonlySet<string> => {
  const read = (folder: string): { name: string; workspaces: readonly string[] } =>
    JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  return new Set(read(".").workspaces.map((folder) => read(folder).name));
})();

function problems({ releases, summary }: Changeset): readonly string[] {
  return [
    ...(releases.length === 0 ? ["names no package"] : []),
    ...releases
      .filter(({ name }) => !packageNames.has(name))
      .map(({ name }) => `names the unknown package ${name}`),
    ...(/[\r\n]/.test(summary)
      ? ["has more than one line: write a changeset for each change"]
      : []),
    ...(summary.length > longest
      ? [`has ${summary.length} characters, ${longest} are allowed`]
      : []),
    ...(/^[^\s*#-].*\.$/.test(summary) ? [] : ["is not a sentence that ends with a full stop"]),
  ];
}

test("each changeset is one short line about a package of this repository", async () => {
  const changesets = await readChangesets(root);
  expect(
    changesets.flatMap((changeset) =>
      problems(changeset).map((problem) => `.changeset/${changeset.id}.md ${problem}`),
    ),
  ).toEqual([]);
});

test.each([
  ["secplat", "Lists are shorter.", []],
  ["secplat", "", ["is not a sentence that ends with a full stop"]],
  ["secplat", "Lists are shorter", ["is not a sentence that ends with a full stop"]],
  ["secplat", "- Lists are shorter.", ["is not a sentence that ends with a full stop"]],
  ["secplat", `${"a".repeat(longest)}.`, [`has 136 characters, 135 are allowed`]],
  ["@security-platform/cli", "A.", ["names the unknown package @security-platform/cli"]],
] as const)("%s: %s", (name, summary, expected) => {
  expect(problems({ releases: [{ name }], summary })).toEqual(expected);
});

test("a second line is a second changeset", () => {
  expect(problems({ releases: [{ name: "secplat" }], summary: "One.\nTwo." })).toContain(
    "has more than one line: write a changeset for each change",
  );
  expect(problems({ releases: [], summary: "One." })).toEqual(["names no package"]);
});
