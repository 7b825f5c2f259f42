import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../../testing/command-line.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";

const one = { url: "https://one.test", client_id: "1", client_secret: "s3cret" };
const two = { ...one, url: "https://two.test", client_id: "2", member_cid: "child" };

function setUp(profiles?: unknown) {
  const folder = temporaryFolder();
  const file = join(folder, "profiles.json");
  if (profiles !== undefined) writeFileSync(file, JSON.stringify(profiles));
  const command = commandLine({ folder, environment: { SECPLAT_PROFILES: file } });
  const stored = (): unknown => JSON.parse(readFileSync(file, "utf8"));
  return { command, stored, file };
}

test("lists the profiles without their secrets, and broken ones with their problem", async () => {
  const { command, file } = setUp({ default: one, two, broken: { ...one, url: "" } });
  const { exitCode, stdout } = await command(["profile", "list"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^default +yes +https:\/\/one\.test +1 +- +-$/m);
  expect(stdout).toMatch(/^two +- +https:\/\/two\.test +2 +child +-$/m);
  expect(stdout).toContain(`${file}: profile broken: url must be a non-empty string`);
  expect(stdout).not.toContain("s3cret");
  expect(await command.json(["profile", "list"])).toMatchObject([
    { name: "default", current: true },
    { name: "two", current: false, member_cid: "child", problem: null },
    { name: "broken", url: null },
  ]);
  expect(await setUp().command.json(["profile", "list"])).toEqual([]);
});

test("chooses the current profile", async () => {
  const { command, stored } = setUp({ default: one, two });
  expect(await command.json(["profile", "use", "two"])).toEqual({ current: "two" });
  expect(stored()).toEqual({ $current: "two", default: one, two });
  const called = await command(["api", "GET", "/x", "--dry-run"]);
  expect(called.stdout).toContain("https://two.test/x");
  expect(await command.json(["profile", "use", "default"])).toEqual({ current: "default" });
  expect(stored()).toEqual({ default: one, two });
});

test("removes a profile", async () => {
  const { command, stored } = setUp({ $current: "two", default: one, two });
  const asked = await command(["profile", "remove", "two"]);
  expect(asked.exitCode).toBe(2);
  expect(asked.stderr).toContain("There is no terminal to ask; confirm with --yes");
  expect(await command.json(["profile", "remove", "two", "--yes"])).toEqual({ removed: "two" });
  expect(stored()).toEqual({ default: one });
});

test.each(["use", "remove"])("%s suggests the nearest profile", async (word) => {
  const { command, stored } = setUp({ default: one, staging: two });
  const { exitCode, stderr } = await command(["profile", word, "stagin"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Did you mean staging?");
  expect(stored()).toEqual({ default: one, staging: two });
});
