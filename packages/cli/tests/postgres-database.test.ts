/** @module-tag exhaustive nightly */
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { commandLine, type Outcome } from "../src/testing/command-line.ts";
import { preparedFolder } from "../src/testing/prepared-folder.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { administer, connectAsOwner, withPostgres } from "./support/postgres.ts";

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

/** `secplat doctor` says the same of the database. */
async function expectUnhealthy(url: string, problem: string): Promise<void> {
  const { username, host, pathname } = new URL(url);
  const { exitCode, stdout } = await at(url).run(["doctor", "--json"]);
  expect(exitCode).toBe(1);
  const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
  expect(checks.find(({ name }) => name === "database")).toEqual({
    name: "database",
    status: "fail",
    detail: expect.stringMatching(`^postgres://${username}@${host}${pathname}: `),
    remedy: expect.any(String),
  });
  expect(stdout).toContain(JSON.stringify(problem).slice(1, -1));
}

const setting = (text: string): string =>
  `do $$ begin execute format('alter database %I set ${text}', current_database()); end $$`;

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
    await expectUnhealthy(url, `this database holds a table "${table}" of another program`);
    expect(await tablesIn(url)).toEqual(before);
  });
});

test("tables of extensions and of other schemas are no obstacle, and stay", async () => {
  const url = await newDatabase();
  const command = await withArchives(url);
  await administer(
    url,
    `create table public.tenants (id integer); create schema own; ${setting("search_path = own, public")}`,
  );
  await administer(
    url,
    `create table own.spatial_ref_sys (srid integer); alter extension plpgsql add table own.spatial_ref_sys;
     create table public.resource_layouts (id integer)`,
  );
  await command.json(["restore", "a.tar"]);
  expect(await command.json(["tenants", "list"])).toMatchObject([{ name: "Acme" }]);
  // An earlier version lacks a table, which another schema of the path has. Another program has added its own.
  await administer(
    url,
    "drop table own.jobs; create table public.jobs (id integer); create table own.notes as select 1 as id",
  );
  await command.json(["restore", "a.tar", "--replace"]);
  await command.json(["snapshot", "import", "s.tar", "--replace"]);
  expect(await administer(url, "select id from own.notes")).toEqual([{ id: 1 }]);
  await administer(url, "drop table own.notes, own.schema_migrations");
  await command.json(["restore", "a.tar", "--replace"]);
  expect(
    await administer(
      url,
      "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
    ),
  ).toEqual([{ relname: "jobs" }, { relname: "resource_layouts" }, { relname: "tenants" }]);
});

test("views and tables of another program that depend on tables of the platform are not dropped", async () => {
  const url = await newDatabase();
  const command = await withArchives(url);
  await command.json(["tenants", "create", "Before"]);
  await administer(
    url,
    `create view overview as select count(*) as count from tenants;
     create table notes (cid text references tenants)`,
  );
  const before = await tablesIn(url);
  await expectRefusals(
    url,
    replacing.filter((words) => words.includes("--replace")),
    "objects of another program depend on tables of the platform (view overview depends on table tenants; " +
      "constraint notes_cid_fkey on table notes depends on table tenants); " +
      "drop these objects first, and create them again afterwards",
  );
  expect(await tablesIn(url)).toEqual(before);
  expect(await command.json(["tenants", "list"])).toMatchObject([{ name: "Before" }]);
  await administer(url, "drop view overview; drop table notes");
  await command.json(["restore", "a.tar", "--replace"]);
  expect(await command.json(["tenants", "list"])).toMatchObject([{ name: "Acme" }]);
});

test.each(["LATIN1", "SQL_ASCII"])("the encoding %s is refused", async (encoding) => {
  const url = await newDatabase(`encoding ${encoding} locale 'C'`);
  const problem = `PostgreSQL: the database has the encoding ${encoding}, which cannot store every text`;
  const cure = "expected UTF8: createdb --encoding UTF8 --template template0 <name>";
  await expectRefusals(url, [...opening, ...replacing], `${problem}; ${cure}`);
  await expectUnhealthy(url, problem);
  expect(await tablesIn(url)).toEqual([]);
});

test("an empty database and one in use are healthy", async () => {
  const url = await newDatabase();
  const command = at(url);
  expect((await command.run(["doctor"])).stdout).toMatch(/^warn {2}database {5}\S+ is empty$/m);
  expect(await tablesIn(url)).toEqual([]);
  await command.json(["tenants", "create", "Acme"]);
  expect((await command.run(["doctor"])).stdout).toMatch(/^ok {4}database {5}\S+ can be used$/m);
});

test("doctor says what is wrong with a database", async () => {
  const url = await newDatabase();
  await expectUnhealthy(url.replace(/[^/]+$/, "missing"), "the database does not exist");
  await expectUnhealthy(url.replace(/[^/]+$/, "template0"), "the database cannot be used");
  await administer(url, setting("default_transaction_read_only = on"));
  await expectUnhealthy(url, "it is read-only, such as a standby");
});

test("doctor accepts each login that a server accepts, and warns of one that cannot upgrade", async () => {
  const url = await newDatabase();
  const name = new URL(url).pathname.slice(1);
  await at(url).json(["tenants", "create", "Acme"]);
  await administer(
    url,
    `create role ${name} login password 'password'; create role owner_${name} nologin;
     grant security_platform to owner_${name}; grant owner_${name} to ${name};
     grant create on schema public to owner_${name}`,
  );
  const command = at(url.replace("//postgres:", `//${name}:`));
  const finding = async () => {
    await command.json(["tenants", "list"]);
    const { checks } = await command.json<{ checks: { name: string }[] }>(["doctor"]);
    return checks.find((check) => check.name === "database");
  };
  const notUpgraded = (reason: string) => ({
    status: "warn",
    detail: expect.stringContaining(`can be used, but not upgraded (${reason}`),
  });
  expect(await finding()).toMatchObject(notUpgraded("must be owner of table "));
  const [row] = await administer(
    url,
    `select string_agg(format('alter table %I owner to owner_${name}', tablename), '; ') as statements
     from pg_tables where schemaname = 'public'`,
  );
  const { statements } = row as { statements: string };
  await administer(url, `${statements}; create table notes (text text)`);
  expect(await finding()).toMatchObject({ status: "ok" });
  await administer(url, `revoke create on schema public from owner_${name}`);
  expect(await finding()).toMatchObject(notUpgraded("permission denied for schema public"));
});

test("errors of the engine name the database and what to do", async () => {
  const url = await newDatabase();
  const refused = (words: readonly (readonly string[])[], reason: string, other = url) =>
    expectRefusals(other, words, reason);
  await refused(
    opening,
    'the database cannot be used (database "template0" is not currently accepting connections); choose another database',
    url.replace(/[^/]+$/, "template0"),
  );
  await administer(url, setting("search_path = missing"));
  const noSchema =
    "no schema of the search path exists (no schema has been selected to create in); choose one: alter role <login> set search_path = public";
  await refused([...opening, ...replacing], noSchema);
  await expectUnhealthy(url, "no schema of the search path exists");
  await administer(url, setting("search_path = public"));
  const name = new URL(url).pathname.slice(1);
  await administer(url, `create role ${name} login password 'password'`);
  const login = url.replace("//postgres:", `//${name}:`);
  const lacking = (message: string) =>
    `the login lacks a right (${message}); grant it; the guide "Running it" lists the rights that a login needs`;
  await refused([...opening, ...replacing], lacking("permission denied for schema public"), login);
  await expectUnhealthy(login, "permission denied for schema public");
  await at(url).json(["tenants", "create", "Acme"]);
  const closed = "permission denied for table schema_migrations";
  await refused([...opening, ["snapshot", "export", "t.tar"]], lacking(closed), login);
  await refused([["backup", "b.tar"]], lacking("permission denied for table settings"), login);
  await expectUnhealthy(login, "permission denied for table schema_migrations");
  await administer(url, `grant select on all tables in schema public to ${name}`);
  const role = "PostgreSQL: the login cannot work under the role security_platform";
  const granting = "let an administrator run: grant security_platform to <login>";
  await refused([["tenants", "list"]], `${role}; ${granting}`, login);
  await expectUnhealthy(login, role);
  const hidden = 'query would be affected by row-level security policy for table "audit_entries"';
  await refused(reading, lacking(hidden), login);
  await administer(url, "drop table jobs cascade; drop table tenants cascade");
  await refused(
    [["tenants", "list"]],
    'a table of the platform is missing (relation "tenants" does not exist); restore the database from a backup',
  );
});

test("a schema that is found by the name of the login is refused, until it is named", async () => {
  const url = await newDatabase();
  const name = new URL(url).pathname.slice(1);
  await administer(
    url,
    `create role ${name} login superuser password 'password'; create schema ${name} authorization ${name}`,
  );
  const login = url.replace("//postgres:", `//${name}:`);
  const problem = `PostgreSQL: the search path finds the schema "${name}" as "$user", which is another one for the role of requests`;
  await expectRefusals(
    login,
    [...opening, ...replacing],
    `${problem}; name the schema of the tables: alter role <login> set search_path = <schema>`,
  );
  await expectUnhealthy(login, problem);
  expect(await tablesIn(url)).toEqual([]);
  await administer(url, `alter role ${name} set search_path = ${name}`);
  expect(await at(login).run(["migrate"])).toMatchObject({ exitCode: 0 });
});

test("encryption that the server does not offer is named, without a warning of the driver", async () => {
  const warn = vi.spyOn(process, "emitWarning");
  const url = `${await newDatabase()}?sslmode=require`;
  await expectRefusals(
    url,
    [
      ["tenants", "list"],
      ["backup", "b.tar"],
    ],
    "PostgreSQL: it does not offer the encryption that sslmode or ssl of the URL requires; enable TLS there, or set " +
      "sslmode=disable (The server does not support SSL connections)",
  );
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test("an interrupted `trigrams add` says that PostgreSQL may go on", async () => {
  const url = await newDatabase();
  const command = at(url);
  await command.json(["tenants", "create", "Acme"]);
  // The creation of an index waits for earlier transactions that may write.
  const writer = await connectAsOwner(url);
  onTestFinished(() => writer.close());
  await writer.run("begin; lock table ioc_indicators in row exclusive mode");
  const list = () => command.json(["trigrams", "list"]);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const interrupted = commandLine({ folder: command.folder, interruptAfter: 0 });
  const adding = interrupted(["trigrams", "add", "indicators.value", "--database", url]);
  const ended = vi.fn<(outcome: Outcome) => void>();
  void adding.then(ended);
  while (ended.mock.calls.length === 0) {
    const { length: builds } = await administer(url, "select from pg_stat_progress_create_index");
    if (builds > 0) await vi.advanceTimersByTimeAsync(1_000);
  }
  vi.useRealTimers();
  const outcome = await adding;
  expect(outcome).toMatchObject({ exitCode: 130, stdout: "" });
  expect(outcome.stderr).toMatch(
    /^secplat: interrupted; PostgreSQL may go on creating the index: secplat trigrams list shows its state; /m,
  );
  expect(await list()).toMatchObject([{ field: "indicators.value", state: "building" }]);
  await writer.run("commit");
  await vi.waitFor(async () => expect(await list()).toMatchObject([{ state: "ready" }]));
});

test("a login with the rights of the guide is enough", async () => {
  const url = await newDatabase();
  const name = new URL(url).pathname.slice(1);
  await administer(
    url,
    `do $$ begin create role security_platform; exception when duplicate_object then null; end $$;
     create role ${name} login password 'password'; grant security_platform to ${name};
     create schema "Sec-Plat" authorization ${name}; alter role ${name} set search_path = "Sec-Plat"`,
  );
  const command = await withArchives(url.replace("//postgres:", `//${name}:`));
  await command.json(["restore", "a.tar"]);
  await command.json(["snapshot", "import", "s.tar", "--replace"]);
  await command.json(["migrate", "--finish"]);
  expect(await command.json(["tenants", "list"])).toMatchObject([{ name: "Acme" }]);
  expect(await command.run(["doctor"])).toMatchObject({ exitCode: 0 });
});

test("a backup says where it found no files", async () => {
  const command = await withArchives(await newDatabase());
  await command.json(["tenants", "create", "Acme"]);
  const none = `because ${join(command.folder, ".data", "blobs")} has none; if the servers keep theirs elsewhere, name`;
  for (const words of [
    ["backup", "b.tar"],
    ["snapshot", "export", "t.tar"],
  ]) {
    expect((await command.run(words)).stderr).toContain(none);
  }
  const elsewhere = await command.run(["backup", "c.tar", "--files", "file:files"]);
  expect(elsewhere.stderr).toContain("because the place that --files names has none; ");
  const hash = "5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5";
  mkdirSync(join(command.folder, "files", hash.slice(0, 2)), { recursive: true });
  writeFileSync(join(command.folder, "files", hash.slice(0, 2), hash), "12345");
  const found = await command.run(["backup", "d.tar", "--files", "file:files"]);
  expect(found).toMatchObject({ exitCode: 0, stderr: "" });
  const without = await command.run(["backup", "e.tar", "--without-files"]);
  expect(without).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a server with its keys elsewhere is found in its data folder", async () => {
  const command = at(await newDatabase());
  await command.json(["keys", "add", "--secrets-key", "keys"]);
  const serve = ["serve", "--port", "0", "--no-demo", "--no-jobs", "--secrets-key", "keys"];
  expect(await command.run(serve)).toMatchObject({ exitCode: 0 });
  expect(statSync(join(command.folder, ".data")).mode & 0o777).toBe(0o700);
});
