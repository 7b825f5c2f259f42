import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { makeFolder } from "./folder.ts";
import { testWith } from "../../../../testing/platform.ts";

testWith("permission bits")("creates a folder and its parents, for this user only", () => {
  const folder = join(temporaryFolder(), "a", "b");
  makeFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "..")).mode & 0o777).toBe(0o700);
});

test("does not change an existing folder", () => {
  const folder = temporaryFolder();
  const before = statSync(folder);
  makeFolder(folder);
  expect(statSync(folder).mode).toBe(before.mode);
});

test("reports the obstacle", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(() => makeFolder(file)).toThrow(
    `cannot use ${file} as data folder: it is a file; choose another with --data`,
  );
  expect(() => makeFolder(join(file, "below"))).toThrow("a part of the path is a file");
});

testWith("/proc")("fails if no folder can be created", () => {
  expect(() => makeFolder("/proc/secplat/data")).toThrow("cannot use /proc/secplat/data");
});
