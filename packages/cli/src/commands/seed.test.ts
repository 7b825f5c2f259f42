/** @module-tag exhaustive */
import { expect, test } from "vitest";
import { commandLine } from "../testing/command-line.ts";
import { seededFolder } from "../testing/prepared-folder.ts";

test("fills a database, and does not change the records of an earlier seed", async () => {
  const { folder, value: first } = await seededFolder();
  const secplat = commandLine({ folder });
  expect(first).toMatchObject({ world: "small", seed: 1 });
  expect(first.indicators).toBeGreaterThan(0);
  expect(await secplat.json(["seed"])).toEqual(first);
  expect(await secplat.json(["tenants", "list"])).toHaveLength(first.tenants.length);
});

test("prints a summary, and shows progress on a terminal", async () => {
  const { stdout, stderr } = await commandLine({ terminal: true })(["seed", "--seed", "2"]);
  expect(stdout).toMatch(/^world {7}small, seed 2\ntenants {5}[0-9a-f]{32} /);
  expect(stderr).toContain("seeding small");
});
