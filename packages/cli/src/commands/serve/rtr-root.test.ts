import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { readRtrRoot } from "./rtr-root.ts";

test("is an existing folder, relative to the working folder", () => {
  const folder = temporaryFolder();
  const context = { workingFolder: dirname(folder) };
  expect(readRtrRoot({}, context)).toEqual({});
  expect(readRtrRoot({ rtrRoot: basename(folder) }, context)).toEqual({ rtrRoot: folder });
  const missing = join(folder, "missing");
  expect(() => readRtrRoot({ rtrRoot: missing }, context)).toThrow(
    `--rtr-root: there is no folder ${missing}`,
  );
  writeFileSync(join(folder, "file"), "");
  expect(() => readRtrRoot({ rtrRoot: join(folder, "file") }, context)).toThrow(
    /there is no folder/,
  );
});
