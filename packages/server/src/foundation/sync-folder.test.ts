import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "./sync-folder.ts";

test.each(["a", "./b", "c/d", "e/../f/g", "h/", "."])(
  "a folder with the relative path %s is created",
  async (path) => {
    const [before, folder] = [process.cwd(), mkdtempSync(join(tmpdir(), "secplat-folder-"))];
    onTestFinished(() => {
      process.chdir(before);
      rmSync(folder, { recursive: true });
    });
    process.chdir(folder);
    await makeFolder(path);
    await makeFolder(path);
    expect(existsSync(join(folder, path))).toBe(true);
  },
);
