import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { writeWholeFile } from "./whole-file.ts";

test("a file is complete or does not exist", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "a.txt");
  const interrupted = writeWholeFile(path, async (append) => {
    await append("one ");
    throw new RangeError("interrupted");
  });
  await expect(interrupted).rejects.toThrow(new RangeError("interrupted"));
  expect(readdirSync(folder)).toEqual([]);
  await writeWholeFile(path, async (append) => {
    await append("one ");
    await append(Buffer.from("two"));
  });
  expect(readFileSync(path, "utf8")).toBe("one two");
});

test("names the file that cannot be written", async () => {
  const folder = temporaryFolder();
  const missing = join(folder, "missing", "a.txt");
  await expect(writeWholeFile(missing, (append) => append("one"))).rejects.toThrow(
    `cannot write ${missing}: its folder does not exist`,
  );
  const taken = join(folder, "taken");
  mkdirSync(join(taken, "inner"), { recursive: true });
  await expect(writeWholeFile(taken, (append) => append("one"))).rejects.toThrow(
    `cannot write ${taken}: it is a folder`,
  );
  expect(readdirSync(folder)).toEqual(["taken"]);
});
