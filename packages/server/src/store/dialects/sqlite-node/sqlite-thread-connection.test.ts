import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StoreError } from "../../types/errors.ts";
import { sql } from "../sql.ts";
import { sqliteDialect } from "../sqlite/sqlite-dialect.ts";
import { SqliteThreadConnection } from "./sqlite-thread-connection.ts";

let folder: string;
let connection: SqliteThreadConnection;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "thread-connection-"));
});

function open(file: string): SqliteThreadConnection {
  connection = new SqliteThreadConnection({
    dialect: sqliteDialect,
    path: join(folder, file),
    pragmas: "pragma journal_mode = wal",
    statementMilliseconds: 0,
    idleMilliseconds: null,
  });
  return connection;
}

afterEach(async () => {
  await connection.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a transaction whose thread has ended is undone, and takes no further statements", async () => {
  const words = open("words.sqlite");
  await words.run("create table words (word text)");
  await words.begin();
  await words.send(sql`insert into words (word) values (${"a"})`);
  expect(words.inTransaction).toBe(true);
  await words.close();
  for (const word of ["b", "c"]) {
    await expect(words.send(sql`insert into words (word) values (${word})`)).rejects.toThrow(
      "the transaction is no longer open",
    );
  }
  expect(words.inTransaction).toBe(false);
  await words.begin();
  await words.send(sql`insert into words (word) values (${"d"})`);
  await words.end("commit");
  expect(await words.all(sql`select word from words`)).toEqual([{ word: "d" }]);
});

test("a transaction that the engine has ended takes no further statements", async () => {
  const words = open("words.sqlite");
  await words.run(`create table words (word text);
    create trigger refused before insert on words when new.word = 'refused'
      begin select raise(rollback, 'refused'); end`);
  const insert = (word: string) => words.send(sql`insert into words (word) values (${word})`);
  await words.begin();
  await expect(insert("refused")).rejects.toThrow("refused");
  expect(words.inTransaction).toBe(false);
  await expect(insert("a")).rejects.toThrow("refused");
  await expect(words.end("commit")).rejects.toThrow("refused");
  expect(await words.begin().then(() => words.all(sql`select word from words`))).toEqual([]);
});

test("the errors of the engine are those of other connections", async () => {
  await expect(open("missing/words.sqlite").run("select 1")).rejects.toThrow(StoreError);
});
