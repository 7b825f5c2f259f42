import { mkdtempSync, rmSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, describe, inject } from "vitest";
import type { Store } from "../../src/store/types.ts";

export interface Engine {
  readonly name: Store["engine"];
  /** The URL of a new, empty database, which is gone after the test file. */
  url(): Promise<string>;
}

/** Runs a suite on both engines. */
export function forEachEngine(suite: (engine: Engine) => void): void {
  describe("sqlite", () => {
    const folders: string[] = [];
    afterAll(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
    suite({
      name: "sqlite",
      url: async () => {
        const folder = mkdtempSync(join(tmpdir(), "secplat-test-"));
        folders.push(folder);
        return `sqlite:${join(folder, "test.db")}`;
      },
    });
  });
  describe("postgres", () => {
    const names: string[] = [];
    afterAll(() =>
      administer(names.map((name) => `drop database if exists "${name}" with (force)`)),
    );
    suite({
      name: "postgres",
      url: async () => {
        const name = `test_${randomBytes(8).toString("hex")}`;
        names.push(name);
        await administer([`create database "${name}"`]);
        return urlOf(name);
      },
    });
  });
}

async function administer(statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return;
  const client = new Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  try {
    for (const statement of statements) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      await client.query(statement);
    }
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${database}`;
  return url.href;
}
