import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { variableProblems } from "./variables.ts";

const root = join(import.meta.dirname, "../../../..");
const places = [
  "docs/guides/*.md",
  "packages/*/README.md",
  "packages/*/src/**/*.ts",
  "packages/cli/deploy/**/*.*",
];

test("a server starts beside every variable that the project reads or documents", () => {
  const files = globSync(places, { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  const names = new Set(
    files.flatMap(
      (file) =>
        readFileSync(join(root, file), "utf8").match(/\bSECPLAT_[A-Z0-9_]*[A-Z0-9]\b/g) ?? [],
    ),
  );
  expect(names.size).toBeGreaterThan(20);
  const environment = Object.fromEntries([...names].map((name) => [name, "x"]));
  expect(variableProblems({ environment })).toEqual([]);
});
