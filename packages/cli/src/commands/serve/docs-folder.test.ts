import { writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { docsFolder } from "./docs-folder.ts";

test("is undefined if switched off", () => {
  expect(docsFolder(false, { workingFolder: "/" } as CliContext)).toBeNull();
});

test("is the --docs folder, relative to the working folder", () => {
  const folder = temporaryFolder();
  const context = { workingFolder: dirname(folder) } as CliContext;
  expect(() => docsFolder(basename(folder), context)).toThrow(
    `--docs: ${folder} contains no index.html`,
  );
  writeFileSync(`${folder}/index.html`, "");
  expect(docsFolder(basename(folder), context)).toBe(folder);
});
