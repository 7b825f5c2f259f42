import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, describe, inject } from "vitest";
import { provisionTenants } from "../../src/catalogue/index.ts";
import { resources } from "../../src/resources.ts";
import { openStore } from "../../src/store/index.ts";
import type { Store } from "../../src/store/types.ts";
import { testKeys } from "./secret-keys.ts";
import { ManualClock } from "./manual-clock.ts";

export interface Engine {
  readonly name: Store["engine"];
  /** The URL of a new database with the platform's tables and catalogue and no tenant, gone after the test file. */
  url(): Promise<string>;
  /** The same without the catalogue. */
  bareUrl(): Promise<string>;
  /** The URL of a new database without tables, gone after the test file. */
  emptyUrl(): Promise<string>;
}

/** Runs a suite on both engines. */
export function forEachEngine(suite: (engine: Engine) => void): void {
  onSqlite(suite);
  onPostgres(suite);
}

export function onSqlite(suite: (engine: Engine) => void): void {
  describe("sqlite", () => {
    const folders: string[] = [];
    afterAll(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
    const newFile = (): string => {
      const folder = mkdtempSync(join(tmpdir(), "secplat-test-"));
      folders.push(folder);
      return join(folder, "test.db");
    };
    const copyOf = async (template: Template): Promise<string> => {
      const file = newFile();
      writeFileSync(file, await templateFile(template));
      return `sqlite:${file}`;
    };
    suite({
      name: "sqlite",
      emptyUrl: async () => `sqlite:${newFile()}`,
      bareUrl: () => copyOf("tables"),
      url: () => copyOf("platform"),
    });
  });
}

export function onPostgres(suite: (engine: Engine) => void): void {
  describe("postgres", () => {
    const names: string[] = [];
    afterAll(() =>
      administer(names.map((name) => `drop database if exists "${name}" with (force)`)),
    );
    const newDatabase = async (options: string): Promise<string> => {
      const name = `test_${randomBytes(8).toString("hex")}`;
      names.push(name);
      await administer([`create database "${name}" ${options}`]);
      return urlOf(name);
    };
    const copyOf = async (template: Template): Promise<string> => {
      await createTemplates();
      return newDatabase(`template "${template}" strategy file_copy`);
    };
    suite({
      name: "postgres",
      emptyUrl: () => newDatabase(""),
      bareUrl: () => copyOf("tables"),
      url: () => copyOf("platform"),
    });
  });
}

/** A database to copy, which is much quicker than creating its tables; `platform` has the catalogue as well. */
type Template = "tables" | "platform";

const files = new Map<Template, Promise<Uint8Array>>();

function templateFile(template: Template): Promise<Uint8Array> {
  let file = files.get(template);
  if (file === undefined) {
    file = createFile(template);
    files.set(template, file);
  }
  return file;
}

async function createFile(template: Template): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "secplat-test-"));
  try {
    const path = join(folder, "template.db");
    await fill(`sqlite:${path}`, template);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

let created: Promise<void> | undefined;

/** The first worker that needs the PostgreSQL templates creates them for all. */
const createTemplates = (): Promise<void> =>
  (created ??= connected(async (client) => {
    await client.query("select pg_advisory_lock(1)");
    const found = await client.query("select from pg_database where datname = 'platform'");
    if (found.rowCount !== 0) return;
    await client.query("create database tables");
    await fill(urlOf("tables"), "tables");
    await client.query("create database unfinished template tables strategy file_copy");
    await fill(urlOf("unfinished"), "platform");
    await client.query("alter database unfinished rename to platform");
  }));

async function fill(url: string, template: Template): Promise<void> {
  const clock = new ManualClock();
  const store = await openStore({ url, clock, resources, keys: testKeys, durable: false });
  if (template === "platform") {
    await provisionTenants(store, clock);
    await store.secrets.prepare();
  }
  await store.close();
}

const administer = (statements: readonly string[]): Promise<void> =>
  connected(async (client) => {
    for (const statement of statements) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      await client.query(statement);
    }
  });

/** Ending the connection releases its locks. */
async function connected<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(name: string): string {
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  return url.href;
}
