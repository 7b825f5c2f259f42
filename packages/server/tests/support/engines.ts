import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Pool } from "pg";
import { citusUrl } from "../../../../testing/platform.ts";
import { afterAll, describe, inject, type TestOptions } from "vitest";
import { provisionTenants } from "../../src/catalogue/index.ts";
import { resources } from "../../src/platform/resources.ts";
import { seedWorld, type SeededWorld, type World } from "../../src/seed/index.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import type { Store } from "../../src/store/types/types.ts";
import { copyOnNodes, createOnNodes, dropOnNodes, renameOnNodes } from "./citus-cluster.ts";
import { testKeys } from "./secret-keys.ts";
import { ManualClock } from "./manual-clock.ts";

export interface Engine {
  readonly name: Store["engine"];
  /**
   * The URL of a new database with the platform's tables and catalogue and no tenant, gone after
   * the test file.
   */
  url(): Promise<string>;
  /** The same, but not gone before it is removed, or before the run ends. */
  keep(): Promise<KeptDatabase>;
  /** The same without the catalogue. */
  bareUrl(): Promise<string>;
  /** The URL of a new database without tables, gone after the test file. */
  emptyUrl(): Promise<string>;
  /**
   * A new database with what `fillNew` stores in an empty one, gone after the test file. Each worker
   * fills one database of each name.
   */
  filledUrl(name: string, fillNew: Fill): Promise<string>;
  /** A new database with a generated world without files, gone after the test file. */
  world(name: World): Promise<WorldDatabase>;
}

type Fill = (url: string) => Promise<void>;

export interface KeptDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

export interface WorldDatabase extends GeneratedWorld {
  readonly url: string;
}

/** A world of seed 1 as of the start of a `ManualClock`. */
interface GeneratedWorld {
  readonly seeded: SeededWorld;
  /** The reported parts, from 0 to 1. */
  readonly progress: readonly number[];
}

/** Runs a suite on both engines; `npm test` leaves out PostgreSQL. */
export function forEachEngine(suite: (engine: Engine) => void): void {
  onSqlite(suite);
  onPostgres(suite, { tags: ["exhaustive"] });
}

/** The same, with PostgreSQL at night only. */
export function withPostgresAtNight(suite: (engine: Engine) => void): void {
  onSqlite(suite);
  onPostgres(suite, { tags: ["exhaustive", "nightly"] });
}

export function onSqlite(suite: (engine: Engine) => void): void {
  describe("sqlite", () => {
    const folders: string[] = [];
    afterAll(() => {
      for (const folder of folders) removeFolder(folder);
    });
    const newFile = (): string => {
      const folder = mkdtempSync(join(tmpdir(), "secplat-test-"));
      folders.push(folder);
      return join(folder, "test.db");
    };
    const newDatabase = (content: Uint8Array): string => {
      const file = newFile();
      writeFileSync(file, content);
      return `sqlite:${file}`;
    };
    const copyOf = async (template: Template) => newDatabase(await templateFile(template));
    suite({
      name: "sqlite",
      emptyUrl: async () => `sqlite:${newFile()}`,
      filledUrl: async (name, fillNew) => newDatabase(await filledFile(name, fillNew)),
      bareUrl: () => copyOf("tables"),
      url: () => copyOf("platform"),
      keep: async () => {
        const folder = mkdtempSync(join(inject("folder"), "secplat-test-"));
        const file = join(folder, "test.db");
        writeFileSync(file, await templateFile("platform"));
        return { url: `sqlite:${file}`, remove: async () => removeFolder(folder) };
      },
      world: async (name) => {
        const { content, ...generated } = await worldFile(name);
        return { url: newDatabase(content), ...generated };
      },
    });
  });
}

const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });

export function onPostgres(
  suite: (engine: Engine) => void,
  options: Pick<TestOptions, "tags"> = {},
): void {
  describe("postgres", options, () => {
    const names: string[] = [];
    afterAll(() => drop(names));
    const newDatabase = async (template: string): Promise<string> => {
      const name = newName();
      names.push(name);
      await createDatabase(name, template);
      return urlOf(name);
    };
    const copyOf = async (template: Template): Promise<string> => {
      await createTemplates();
      return newDatabase(template);
    };
    suite({
      name: "postgres",
      emptyUrl: () => newDatabase("template0"),
      filledUrl: async (name, fillNew) => newDatabase(await filledDatabase(name, fillNew)),
      bareUrl: () => copyOf("tables"),
      url: () => copyOf("platform"),
      keep: async () => {
        await createTemplates();
        const name = newName();
        await createDatabase(name, "platform");
        return { url: urlOf(name), remove: () => drop([name]) };
      },
      world: async (name) => {
        const { database, ...generated } = await worldDatabase(name);
        return { url: await newDatabase(database), ...generated };
      },
    });
  });
}

const newName = (): string => `test_${randomBytes(8).toString("hex")}`;

/** Copies files, which takes a quarter of the time that PostgreSQL's default takes with its log. */
async function createDatabase(name: string, template: string): Promise<void> {
  if (citusUrl === undefined) {
    await administer([`create database "${name}" template "${template}" strategy file_copy`]);
  } else if (template === "template0") {
    await createOnNodes(administrator(), name, urlOf(name));
  } else {
    await copyOnNodes(administrator(), name, template);
  }
}

/**
 * A database to copy, which is much faster than creating its tables; `platform` has the catalogue
 * as well.
 */
type Template = "tables" | "platform";

/** Creates a value on first use. */
function onceEach<Name, More extends readonly unknown[], Value>(
  create: (name: Name, ...more: More) => Promise<Value>,
) {
  const values = new Map<Name, Promise<Value>>();
  return (name: Name, ...more: More): Promise<Value> => {
    let value = values.get(name);
    if (value === undefined) {
      value = create(name, ...more);
      values.set(name, value);
    }
    return value;
  };
}

const templateFile = onceEach(async (template: Template): Promise<Uint8Array> => {
  const { content } = await createFile(async (url) => {
    await fillDatabase(url, template);
    return {};
  });
  return content;
});

const filledFile = onceEach(async (_name: string, fillNew: Fill): Promise<Uint8Array> => {
  const { content } = await createFile(async (url) => {
    await fillNew(url);
    return {};
  });
  return content;
});

const filledDatabase = onceEach(async (_name: string, fillNew: Fill): Promise<string> => {
  const database = newName();
  await createDatabase(database, "template0");
  await fillNew(urlOf(database));
  return database;
});

/** Each worker generates a world once. */
const worldFile = onceEach((world: World) =>
  createFile(async (url) => {
    writeFileSync(url.slice("sqlite:".length), await templateFile("platform"));
    return generate(url, world);
  }),
);

async function createFile<Result>(
  fillFile: (url: string) => Promise<Result>,
): Promise<Result & { readonly content: Uint8Array }> {
  const folder = mkdtempSync(join(tmpdir(), "secplat-test-"));
  try {
    const path = join(folder, "template.db");
    const result = await fillFile(`sqlite:${path}`);
    return { ...result, content: readFileSync(path) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const worldDatabase = onceEach(async (world: World) => {
  await createTemplates();
  const database = newName();
  await createDatabase(database, "platform");
  return { database, ...(await generate(urlOf(database), world)) };
});

let created: Promise<void> | undefined;

/** The first worker that needs the PostgreSQL templates creates them for all. */
const createTemplates = (): Promise<void> =>
  (created ??= connected(async (client) => {
    await client.query("select pg_advisory_lock(1)");
    const databases = await client.query("select from pg_database where datname = 'platform'");
    if (databases.rowCount !== 0) return;
    await createDatabase("tables", "template0");
    await fillDatabase(urlOf("tables"), "tables");
    await createDatabase("unfinished", "tables");
    await fillDatabase(urlOf("unfinished"), "platform");
    if (citusUrl === undefined) await client.query("alter database unfinished rename to platform");
    else await renameOnNodes(client, "unfinished", "platform");
  }));

/** Creates what a template has. */
export async function fillDatabase(url: string, template: Template): Promise<void> {
  const clock = new ManualClock();
  const store = await openStoreAt({ url, clock, resources, keys: testKeys, durable: false });
  if (template === "platform") {
    await provisionTenants(store, clock);
    await store.secrets.prepare();
  }
  await store.close();
}

async function generate(url: string, world: World): Promise<GeneratedWorld> {
  const clock = new ManualClock();
  const store = await openStoreAt({ url, clock, resources, keys: testKeys, durable: false });
  const progress: number[] = [];
  const seeded = await seedWorld(store, {
    world,
    seed: 1,
    clock,
    onProgress: ({ done, total }) => progress.push(done / total),
  });
  await store.close();
  return { seeded, progress };
}

async function drop(names: readonly string[]): Promise<void> {
  if (citusUrl !== undefined) return dropOnNodes(administrator(), names);
  await administer(names.map((name) => `drop database if exists "${name}" with (force)`));
}

/** One connection of the worker, which does not keep it running. */
let administration: Pool | undefined;

const administrator = (): Pool =>
  (administration ??= new Pool({
    connectionString: inject("postgresUrl"),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }).on("error", () => undefined));

async function administer(statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await administrator().query(statement);
  }
}

/** Ending the connection releases its locks. */
async function connected(work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(name: string): string {
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  return url.href;
}
