import { expect, test } from "vitest";
import type { Connection, Database, InsertTarget } from "../src/store/dialects/dialect.ts";
import { sql } from "../src/store/dialects/sql.ts";
import { openDatabase } from "../src/store/open-database.ts";
import { forEachEngine, onSqlite } from "./support/engines.ts";
import { mostInOneTurn } from "./support/turns.ts";

const tenant = "a".repeat(32);
const large = { large: true };

const target: InsertTarget = { table: "words", columns: [{ name: "word", type: "text" }] };

const add = (connection: Connection, words: readonly string[]): Promise<void> =>
  connection.insert(
    target,
    words.map((word) => [word]),
  );

/** A database with a table of distinct words. */
async function database(url: string): Promise<Database> {
  const created = await openDatabase({ url });
  await created.asOwner(async (connection) => {
    await connection.run("create table words (word text primary key)");
    await connection.run(connection.dialect.admit);
  });
  return created;
}

async function wordsIn(connection: Connection): Promise<string> {
  const rows = await connection.all(sql<{ word: string }>`select word from words order by word`);
  return rows.map(({ word }) => word).join("");
}

const words = (stored: Database): Promise<string> => stored.read([tenant], wordsIn);

const many = Array.from({ length: 2_000 }, (_, index) => String(index));

forEachEngine((engine) => {
  test("a large transaction commits or rolls back as a whole, in turn with others", async () => {
    const stored = await database(await engine.url());
    const write = (word: string, options = {}, fails = false) =>
      stored.write(
        tenant,
        async (connection) => {
          await add(connection, [word]);
          if (fails) throw new Error(`${word} failed`);
          return wordsIn(connection);
        },
        options,
      );
    const results = await Promise.allSettled([
      write("a"),
      write("b", large),
      write("c", large, true),
      write("d"),
      write("b", large),
      write("e", large),
      write("a"),
      write("f"),
    ]);
    expect(results.map((each) => (each.status === "fulfilled" ? each.value : "failed"))).toEqual([
      "a",
      "ab",
      "failed",
      "abd",
      "failed",
      "abde",
      "failed",
      "abdef",
    ]);
    expect(await words(stored)).toBe("abdef");
    await stored.close();
  });

  test("nobody sees a part of a large transaction", async () => {
    const stored = await database(await engine.url());
    await stored.write(
      tenant,
      async (connection) => {
        await add(connection, many);
        expect(await words(stored)).toBe("");
      },
      large,
    );
    expect((await words(stored)).length).toBe(many.join("").length);
    await stored.close();
  });
});

onSqlite((engine) => {
  test("the statements of a large transaction run in another thread", async () => {
    const stored = await database(await engine.url());
    const inserted = (options: object, from: number): Promise<number> =>
      mostInOneTurn(() =>
        stored.write(
          tenant,
          (connection) => add(connection, many.slice(from, from + 1_000)),
          options,
        ),
      );
    expect(await inserted({}, 0)).toBeGreaterThan(0);
    expect(await inserted(large, 1_000)).toBe(0);
    await stored.close();
  });
});
