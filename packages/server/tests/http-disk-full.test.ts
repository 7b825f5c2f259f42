import { DatabaseSync } from "node:sqlite";
import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { postgresFailure } from "../src/store/dialects/postgres/postgres-errors.ts";
import { sqliteFailure } from "../src/store/dialects/sqlite/sqlite-errors.ts";
import { startSmallApp } from "./support/small-app.ts";

/** The error of SQLite when its file cannot grow. */
function sqliteFull(): unknown {
  const database = new DatabaseSync(":memory:");
  database.exec("pragma max_page_count = 2; create table t (a text)");
  try {
    database.prepare("insert into t values (?)").run("x".repeat(100_000));
  } catch (error) {
    return sqliteFailure(error, "some.db");
  } finally {
    database.close();
  }
  throw new Error("the database was not full");
}

function postgresFull(): unknown {
  const error = new DatabaseError("could not extend file: No space left on device", 1, "error");
  error.code = "53100";
  return postgresFailure(error);
}

const fileSystemFull = Object.assign(new Error("ENOSPC: no space left on device, write"), {
  code: "ENOSPC",
  syscall: "write",
});

test.each([
  ["SQLite", sqliteFull()],
  ["PostgreSQL", postgresFull()],
  ["the file system", fileSystemFull],
])(
  "a full disk detected by %s is reported as an error that suggests a retry",
  async (_who, thrown) => {
    const lines: string[] = [];
    const { url } = await startSmallApp(
      { write: { method: "post", handle: () => Promise.reject(thrown as Error) } },
      { log: (line) => lines.push(line) },
    );
    const response = await fetch(`${url}/write`, { method: "POST" });
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("60");
    expect(await response.json()).toMatchObject({
      errors: [{ code: 503, message: expect.stringContaining("server's disk is full") as string }],
    });
    expect(lines.join("")).toMatch(/full|resources|space/);
  },
);

test("a database file that cannot be opened is reported as too many open files", async () => {
  const thrown = sqliteFailure(Object.assign(new Error("x"), { errcode: 14 }), "a");
  const { url } = await startSmallApp({
    write: { method: "post", handle: () => Promise.reject(thrown as Error) },
  });
  const response = await fetch(`${url}/write`, { method: "POST" });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    errors: [{ message: expect.stringContaining("too many open files") as string }],
  });
});

test("other database errors are reported as before", async () => {
  const { url } = await startSmallApp({
    write: {
      method: "post",
      handle: () =>
        Promise.reject(sqliteFailure(Object.assign(new Error("x"), { errcode: 11 }), "a")),
    },
  });
  expect((await fetch(`${url}/write`, { method: "POST" })).status).toBe(500);
});
