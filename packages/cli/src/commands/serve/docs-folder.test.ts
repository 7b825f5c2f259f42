import { writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { docsFolder } from "./docs-folder.ts";

test("is undefined if switched off", () => {
  expect(docsFolder(false, { workingFolder: "/" } as Surroundings)).toBeNull();
});

test("is the --docs folder, relative to the working folder", () => {
  const folder = temporaryFolder();
  const surroundings = { workingFolder: dirname(folder) } as Surroundings;
  expect(() => docsFolder(basename(folder), surroundings)).toThrow(
    `--docs: ${folder} contains no index.html`,
  );
  writeFileSync(`${folder}/index.html`, "");
  expect(docsFolder(basename(folder), surroundings)).toBe(folder);
});
