import { writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { packedDocs } from "../../places.ts";
import { docsFolder } from "./docs-folder.ts";

test("is undefined if switched off", () => {
  expect(docsFolder(false, { workingFolder: "/" } as CliContext)).toBeNull();
});

test("is the packaged folder by default, which the server replaces by a page if it is missing", () => {
  expect(docsFolder(undefined, { workingFolder: "/" } as CliContext)).toBe(packedDocs);
});

test("is a folder with an archive", () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/site.archive`, "");
  expect(docsFolder(folder, { workingFolder: "/" } as CliContext)).toBe(folder);
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
