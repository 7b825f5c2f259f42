import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { commandLine } from "../src/testing/command-line.ts";
import { preparedFolder } from "../src/testing/prepared-folder.ts";

/** A folder with a database of the platform, a backup and a snapshot of it, and an empty data folder. */
const archives = preparedFolder(async (folder) => {
  const command = commandLine({ folder });
  await command.json(["tenants", "create", "Acme"]);
  await command.json(["backup", "a.tar"]);
  await command.json(["snapshot", "export", "s.tar"]);
});

async function newFolder() {
  const { folder } = await archives();
  mkdirSync(join(folder, "other"));
  const file = join(folder, "other/platform.sqlite");
  return { command: commandLine({ folder }), folder, file };
}

function fill(file: string, script: string): void {
  const database = new DatabaseSync(file);
  database.exec(script);
  database.close();
}

const restoring: readonly (readonly string[])[] = [
  ["restore", "a.tar", "--replace"],
  ["restore", "a.tar"],
  ["snapshot", "import", "s.tar", "--replace"],
];
const opening: readonly (readonly string[])[] = [
  ["tenants", "list"],
  ["tenants", "create", "Late"],
  ["migrate"],
  ["migrate", "--finish"],
  ["serve", "--port", "0"],
  ["seed"],
  ["backup", "b.tar"],
  ["snapshot", "export", "t.tar"],
];

const foreignTables = [
  [
    "migrations of another program",
    "create table schema_migrations (version text)",
    "schema_migrations",
  ],
  [
    "migrations with a number",
    "create table schema_migrations (number integer); create table notes (text text)",
    "schema_migrations",
  ],
  ["a table", "create table notes (text text); insert into notes values ('mine')", "notes"],
  ["a view", "create view notes as select 1", "notes"],
  ["a full-text index", "create virtual table notes using fts5 (text)", "notes"],
] as const;

test.each(foreignTables)("a SQLite database with %s is left alone", async (_, script, table) => {
  const { command, folder, file } = await newFolder();
  fill(file, script);
  const before = readFileSync(file);
  const names = readdirSync(folder);
  for (const words of [...restoring, ...opening]) {
    const outcome = await command([...words, "--data", "other"]);
    expect([words, outcome]).toEqual([
      words,
      {
        exitCode: 1,
        stdout: "",
        stderr: expect.stringMatching(
          `^secplat: \\S+platform\\.sqlite: this database holds a table "${table}" of another program; ` +
            "choose an empty or new database\n$",
        ),
      },
    ]);
  }
  const doctor = await command(["doctor", "--data", "other"]);
  expect(doctor.exitCode).toBe(1);
  expect(doctor.stdout).toMatch(
    RegExp(
      `^fail  database     \\S+platform\\.sqlite: this database holds a table "${table}" of another program\n` +
        " +→ choose an empty or new database$",
      "m",
    ),
  );
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(names);
  expect(readdirSync(join(folder, "other")).filter((name) => name.endsWith(".key"))).toEqual([]);
});

test("a file that is not a database is not replaced, even in place of one", async () => {
  const { command, folder, file } = await newFolder();
  writeFileSync(file, "a letter to a friend\n".repeat(1_000));
  mkdirSync(join(folder, "other/blobs"));
  for (const words of restoring) {
    const { exitCode, stderr } = await command([...words, "--data", "other"]);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /other\/platform\.sqlite: nothing in this file shows that it was a database of the platform; choose another path, or move the file away first\n$/,
      ),
    ]);
  }
  expect(readFileSync(file, "utf8")).toMatch(/^(a letter to a friend\n){1000}$/);
});

test.each([
  ["has no tables", () => Buffer.alloc(0)],
  ["lost its first page", (whole: Buffer) => Buffer.from(whole).fill(0xa5, 0, 4_096)],
  ["is cut off", (whole: Buffer) => whole.subarray(0, 3 * 4_096)],
  ["lost its pages", (whole: Buffer) => Buffer.alloc(whole.length)],
  ["has another format", (whole: Buffer) => Buffer.from(whole).fill(9, 44, 48)],
])("a database of the platform that %s is replaced", async (_, damage) => {
  const { command, folder } = await newFolder();
  const file = join(folder, ".data/platform.sqlite");
  const damaged = damage(readFileSync(file));
  mkdirSync(join(folder, ".data/blobs"));
  for (const words of restoring.filter((each) => each.includes("--replace"))) {
    writeFileSync(file, damaged);
    for (const suffix of ["-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
    expect(await command(words)).toMatchObject({ exitCode: 0 });
    expect(await command.json(["tenants", "list"])).toMatchObject([{ name: "Acme" }]);
  }
});

test("a database of the platform without its migrations is named, and replaced", async () => {
  const { command, folder } = await newFolder();
  fill(join(folder, ".data/platform.sqlite"), "drop table schema_migrations");
  expect((await command(["tenants", "list"])).stderr).toMatch(
    /platform\.sqlite: the table schema_migrations of the platform is missing; restore the database from a backup\n$/,
  );
  expect(await command(["restore", "a.tar", "--replace"])).toMatchObject({ exitCode: 0 });
  expect(await command.json(["tenants", "list"])).toMatchObject([{ name: "Acme" }]);
});

test("a database with a damaged format is called damaged", async () => {
  const { command, folder } = await newFolder();
  const file = join(folder, ".data/platform.sqlite");
  writeFileSync(file, readFileSync(file).fill(9, 44, 48));
  expect((await command(["tenants", "list"])).stderr).toMatch(
    /platform\.sqlite: it is damaged; restore it from a backup\n$/,
  );
});

test("a database of the platform whose last transaction was cut off is replaced", async () => {
  const { command, folder } = await newFolder();
  const file = join(folder, "other.db");
  const whole = readFileSync(join(folder, ".data/platform.sqlite"));
  // Without the log that others share, as on a file system of a network.
  writeFileSync(file, Buffer.from(whole).fill(1, 18, 20));
  writeFileSync(`${file}-journal`, unfinishedJournal(whole.length / 4_096));
  const database = ["--database", `sqlite:${file}`];
  expect(await command(["restore", "a.tar", "--replace", ...database])).toMatchObject({
    exitCode: 0,
  });
});

/** The journal of a transaction that has changed nothing yet. */
function unfinishedJournal(pages: number): Buffer {
  const journal = Buffer.alloc(512 + 4_104);
  journal.write("d9d505f920a163d7", "hex");
  [0, 5, pages, 512, 4_096].forEach((value, index) => journal.writeUInt32BE(value, 8 + 4 * index));
  return journal;
}

test("a database without a table of the platform is named, with what to do", async () => {
  const { command, folder } = await newFolder();
  fill(
    join(folder, ".data/platform.sqlite"),
    "pragma foreign_keys = off; drop table client_secrets; drop table access_tokens; drop table api_clients; drop table tenants",
  );
  const { exitCode, stderr } = await command(["tenants", "list"]);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^secplat: sqlite:\S+platform\.sqlite: a table of the platform is missing \(no such table: tenants\); restore the database from a backup\n$/,
    ),
  ]);
});

test("a damaged database elsewhere is replaced by the statements in it", async () => {
  const { command, folder } = await newFolder();
  const file = join(folder, "other.db");
  const whole = readFileSync(join(folder, ".data/platform.sqlite"));
  writeFileSync(file, Buffer.from(whole).fill(0xa5, 0, 4_096));
  const database = ["--database", `sqlite:${file}`];
  expect(await command(["restore", "a.tar", "--replace", ...database])).toMatchObject({
    exitCode: 0,
  });
  writeFileSync(file, Buffer.alloc(whole.length));
  const refused = await command(["restore", "a.tar", "--replace", ...database]);
  expect(refused.stderr).toMatch(/other\.db: nothing in this file shows that it was a database/);
});
