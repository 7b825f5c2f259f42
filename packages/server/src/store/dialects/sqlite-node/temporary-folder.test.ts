import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

test("folders of killed processes are removed, and no others", () => {
  const parent = mkdtempSync(join(tmpdir(), "secplat-test-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const own = temporaryFolder(parent);
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  const folderOf = (id: number, ending = "a1B2c3") =>
    basename(own.folder).replace(/\d+-\w{6}$/, `${id}-${ending}`);
  const folders = [folderOf(ended), folderOf(process.ppid), "secplat-a1B2c3", `other-${ended}-x`];
  for (const folder of folders) mkdirSync(join(parent, folder));
  const next = temporaryFolder(parent);
  const expected = [basename(own.folder), basename(next.folder), ...folders.slice(1)];
  expect(readdirSync(parent).toSorted()).toEqual(expected.toSorted());
  next.remove();
  expect(existsSync(next.folder)).toBe(false);
  expect(existsSync(own.folder)).toBe(true);
  own.remove();
});
