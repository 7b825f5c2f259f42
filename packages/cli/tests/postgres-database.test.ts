/** @module-tag exhaustive nightly */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commandLine, type Outcome } from "../src/testing/command-line.ts";
import { preparedFolder } from "../src/testing/prepared-folder.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { administer, withPostgres } from "./support/postgres.ts";

const newDatabase = withPostgres();

/** The commands for a database, without the warning that its password is an argument. */
function at(url: string, folder = temporaryFolder()) {
  const command = commandLine({ folder });
  const withDatabase = (words: readonly string[]) => [...words, "--database", url];
  return {
    folder,
    run: async (words: readonly string[]): Promise<Outcome> => {
      const outcome = await command(withDatabase(words));
      return {
        ...outcome,
        stderr: outcome.stderr.replace(/^secplat: other users can see.*\n/, ""),
      };
    },
    json: <Value>(words: readonly string[]) => command.json<Value>(withDatabase(words)),
  };
}

/** A folder with a backup and a snapshot. */
const archives = preparedFolder(async (folder) => {
  const command = at(await newDatabase(), folder);
  await command.json(["tenants", "create", "Acme"]);
  await command.json(["backup", "a.tar"]);
  await command.json(["snapshot", "export", "s.tar"]);
});

const withArchives = async (url: string) => at(url, (await archives()).folder);

const opening: readonly (readonly string[])[] = [
  ["tenants", "list"],
  ["tenants", "create", "Late"],
  ["migrate"],
  ["migrate", "--finish"],
  ["serve", "--port", "0"],
  ["seed"],
];
const reading: readonly (readonly string[])[] = [
  ["backup", "b.tar"],
  ["snapshot", "export", "t.tar"],
];
const replacing: readonly (readonly string[])[] = [
  ["restore", "a.tar", "--replace"],
  ["restore", "a.tar"],
  ["snapshot", "import", "s.tar", "--replace"],
];
const all = [...opening, ...reading, ...replacing];

/** Each command fails with one line that names the database, and its password nowhere. */
async function expectRefusals(
  url: string,
  words: readonly (readonly string[])[],
  reason: string,
): Promise<void> {
  const { username, host, pathname } = new URL(url);
  const command = await withArchives(url);
  const names = readdirSync(command.folder);
  for (const each of words) {
    expect([each, await command.run(each)]).toEqual([
      each,
      {
        exitCode: 1,
        stdout: "",
        stderr: `secplat: postgres://${username}@${host}${pathname}: ${reason}\n`,
      },
    ]);
  }
  expect(readdirSync(command.folder)).toEqual(names);
}

const tablesIn = (url: string) =>
  administer(
    url,
    "select relname, relnamespace::regnamespace::text from pg_class where relkind in ('r', 'v') and oid >= 16384 order by 1",
  );

describe("a database of another program is left alone", () => {
  const taken = (table: string) =>
    `this database holds a table "${table}" of another program; choose an empty or new database`;

  test.each([
    [
      "migrations",
      "create table schema_migrations (version varchar primary key)",
      "schema_migrations",
    ],
    [
      "migrations and a table of our name",
      `create table schema_migrations (version bigint primary key, dirty boolean not null);
       create table jobs (id integer); insert into jobs values (1)`,
      "schema_migrations",
    ],
    ["a table", "create table notes (text text)", "notes"],
    ["a table without columns", "create table notes ()", "notes"],
    ["a view", "create view notes as select 1", "notes"],
  ])("with %s", async (_, script, table) => {
    const url = await newDatabase();
    await administer(url, script);
    const before = await tablesIn(url);
    await expectRefusals(url, all, taken(table));
    expect(await tablesIn(url)).toEqual(before);
  });
});

test("tables of extensions and of other schemas are no obstacle, and stay", async () => {
  const url = await newDatabase();
  const command = await withArchives(url);
  await administer(
    url,
    `create table public.tenants (id integer); create schema own;
     do $$ begin execute format('alter database %I set search_path = own, public', current_database()); end $$`,
  );
  await administer(
    url,
    `create table own.spatial_ref_sys (srid integer); alter extension plpgsql add table own.spatial_ref_sys;
     create table public.resource_layouts (id integer)`,
  );
  await command.json(["restore", "a.tar"]);
  expect(await command.json(["tenants", "list"])).toMatchObject([{ name: "Acme" }]);
  // An earlier version lacks a table, which another schema of the path has.
  await administer(url, "drop table own.jobs; create table public.jobs (id integer)");
  await command.json(["restore", "a.tar", "--replace"]);
  await command.json(["snapshot", "import", "s.tar", "--replace"]);
  expect(
    await administer(
      url,
      "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
    ),
  ).toEqual([{ relname: "jobs" }, { relname: "resource_layouts" }, { relname: "tenants" }]);
});
