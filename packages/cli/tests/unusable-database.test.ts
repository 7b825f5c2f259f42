/** @module-tag exhaustive */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { commandLine } from "../src/testing/command-line.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { filledFolder } from "./support/filled-folder.ts";
import { makeReadOnly } from "./support/storage.ts";
import { secplat, type Outcome } from "./support/process.ts";
import { boundByPermissions, skipWithout, testWith } from "../../../testing/platform.ts";

const commands = [["serve", "--port", "0"], ["tenants", "create", "Late"], ["seed"]] as const;

/** One clear line, no stack, and the exit code of a failure. */
function expectRefusal({ exitCode, stdout, stderr }: Outcome, reason: string | RegExp): void {
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(/^secplat: .+\n$/);
  expect(stderr).toMatch(reason);
}

/** Every command fails, and the file does not change. */
async function expectRefusals(
  folder: string,
  file: string,
  reason: string | RegExp,
): Promise<void> {
  const before = readFileSync(file);
  for (const words of commands) {
    expectRefusal(await commandLine({ folder })(words), reason);
  }
  expect(readFileSync(file).equals(before)).toBe(true);
}

test("rejects a data folder that is a file", async () => {
  const folder = temporaryFolder();
  const file = join(folder, ".data");
  writeFileSync(file, "mine");
  await expectRefusals(
    folder,
    file,
    `cannot use ${file} as data folder: it is a file; choose another with --data`,
  );
});

test("rejects a database written by a newer version, and does not change it", async () => {
  const { folder, file } = await filledFolder();
  const database = new DatabaseSync(file);
  database.exec(
    "insert into schema_migrations (number, name, applied_at) values (999, 'later', '2030-01-01T00:00:00Z')",
  );
  database.close();
  await expectRefusals(
    folder,
    file,
    /platform\.sqlite: this database has schema 999, and this version knows schemas up to \d+; run the newer version/,
  );
  const again = new DatabaseSync(file);
  again.exec("delete from schema_migrations where number = 999");
  again.close();
  expect(await commandLine({ folder }).json(["tenants", "list"])).toHaveLength(1);
});

test("rejects a file that is not a database", async () => {
  const folder = temporaryFolder();
  const file = join(folder, ".data", "platform.sqlite");
  mkdirSync(join(folder, ".data"));
  writeFileSync(file, "a letter to a friend, which nobody wants to lose\n".repeat(100));
  await expectRefusals(
    folder,
    file,
    "platform.sqlite: it is not a SQLite database; choose another file",
  );
});

test("rejects a database of another program", async () => {
  const folder = temporaryFolder();
  const file = join(folder, ".data", "platform.sqlite");
  mkdirSync(join(folder, ".data"));
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal; create table settings (key text, value text)");
  database.close();
  await expectRefusals(
    folder,
    file,
    'platform.sqlite: this database holds a table "settings" of another program',
  );
});

test("rejects a damaged database", async () => {
  const { folder, file } = await filledFolder();
  writeFileSync(file, readFileSync(file).fill(0xa5, 100, 8_192));
  const reason = "platform.sqlite: it is damaged; restore it from a backup";
  await expectRefusals(folder, file, reason);
  // As a process ends it.
  expectRefusal(await secplat(["serve", "--port", "0"], { folder }), reason);
});

testWith("permission bits")("rejects a data folder that it may not create", async () => {
  const folder = temporaryFolder();
  makeReadOnly(folder);
  const outcome = await secplat(["serve"], { folder, under: boundByPermissions() });
  expectRefusal(
    outcome,
    `cannot use ${folder}/.data as data folder: this user has no write permission`,
  );
  expect(existsSync(join(folder, ".data"))).toBe(false);
  const under = boundByPermissions();
  const words = ["config", "check"];
  const folders = await secplat(words, { folder, under });
  expect(folders.stderr).toContain("as data folder: this user has no write permission");
  const file = await secplat([...words, "--database", "sqlite:new/x.sqlite"], { folder, under });
  expect(file.stderr).toContain("new cannot be used: this user has no write permission");
  expect([folders.exitCode, file.exitCode]).toEqual([2, 2]);
});

testWith("permission bits")("rejects an empty read-only data folder", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".data"));
  makeReadOnly(join(folder, ".data"));
  const outcome = await secplat(["serve"], { folder, under: boundByPermissions() });
  expectRefusal(
    outcome,
    "platform.sqlite: it cannot be opened; check that its folder exists and that the server may write there",
  );
});

describe("a read-only database", () => {
  skipWithout("permission bits");

  test.each(commands.map((words) => [words]))("is rejected: %j", async (words) => {
    const { folder, file } = await filledFolder();
    const before = readFileSync(file);
    makeReadOnly(join(folder, ".data"));
    makeReadOnly(file, 0o400);
    const outcome = await secplat(words, { folder, under: boundByPermissions() });
    expectRefusal(
      outcome,
      "platform.sqlite: it is read-only; give the server a file and a folder that it may write",
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

test("rejects a database that cannot be reached, without printing its password", async () => {
  const environment = { SECPLAT_DATABASE: "postgres://me:hunter2@127.0.0.1:1/name" };
  const outcome = await secplat(["serve"], { folder: temporaryFolder(), environment });
  expectRefusal(
    outcome,
    "postgres://me@127.0.0.1:1/name: PostgreSQL cannot be reached (ECONNREFUSED)",
  );
  expect(outcome.stderr).not.toContain("hunter2");
});
