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
import { ManualClock } from "./manual-clock.ts";

export interface Engine {
  readonly name: Store["engine"];
  /** The URL of a new database with the platform's tables and catalogue and no tenant, gone after the test file. */
  url(): Promise<string>;
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
    suite({
      name: "sqlite",
      emptyUrl: async () => `sqlite:${newFile()}`,
      url: async () => {
        const file = newFile();
        writeFileSync(file, await platformFile());
        return `sqlite:${file}`;
      },
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
    suite({
      name: "postgres",
      emptyUrl: () => newDatabase(""),
      url: async () => newDatabase(`template "${await platformDatabase()}" strategy file_copy`),
    });
  });
}

let file: Promise<Uint8Array> | undefined;

/** A SQLite database with the platform's tables and records. Copying it is much quicker than making them. */
const platformFile = (): Promise<Uint8Array> =>
  (file ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), "secplat-test-"));
    try {
      const path = join(folder, "template.db");
      await createTables(`sqlite:${path}`);
      return readFileSync(path);
    } finally {
      rmSync(folder, { recursive: true });
    }
  })());

let database: Promise<string> | undefined;

/** The name of the PostgreSQL database to copy; the first worker that needs it creates it for all. */
const platformDatabase = (): Promise<string> =>
  (database ??= connected(async (client) => {
    const name = "platform";
    await client.query("select pg_advisory_lock(1)");
    const found = await client.query("select from pg_database where datname = $1", [name]);
    if (found.rowCount === 0) {
      await client.query(`create database "${name}_tables"`);
      await createTables(urlOf(`${name}_tables`));
      await client.query(`alter database "${name}_tables" rename to "${name}"`);
    }
    return name;
  }));

async function createTables(url: string): Promise<void> {
  const clock = new ManualClock();
  const store = await openStore({ url, clock, resources, durable: false });
  await provisionTenants(store, clock);
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
