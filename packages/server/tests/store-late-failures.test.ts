import { expect, test } from "vitest";
import type { Connection, Database } from "../src/store/dialects/dialect.ts";
import { sql } from "../src/store/dialects/sql.ts";
import { openDatabase } from "../src/store/open-database.ts";
import { forEachEngine } from "./support/engines.ts";

const tenant = "a".repeat(32);

const add = (connection: Connection, word: string): Promise<void> =>
  connection.send(sql`insert into words (word) values (${word})`);

/** A database with a table of distinct words. */
async function database(url: string): Promise<Database> {
  const created = await openDatabase({ url });
  await created.asOwner(async (connection) => {
    await connection.run("create table words (word text primary key)");
    await connection.run(connection.dialect.admit);
  });
  return created;
}

const words = (of: Database): Promise<readonly unknown[]> =>
  of.read([tenant], async (connection) =>
    (await connection.all(sql<{ word: string }>`select word from words order by word`)).map(
      ({ word }) => word,
    ),
  );

forEachEngine((engine) => {
  test("a statement that is not awaited fails its own transaction, and no other in the same commit", async () => {
    const stored = await database(await engine.url());
    const writes = [["a"], ["b", "b"], ["c"], ["d", "a"], ["e"]].map((each) =>
      stored.write(tenant, async (connection) => {
        for (const word of each) await add(connection, word);
        return each.join();
      }),
    );
    const results = await Promise.allSettled(writes);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await words(stored)).toEqual(["a", "c", "e"]);
    await stored.close();
  });

  test("the first transaction of a commit may be the one that fails late", async () => {
    const stored = await database(await engine.url());
    await stored.write(tenant, (connection) => add(connection, "a"));
    const writes = ["a", "b", "c"].map((word) =>
      stored.write(tenant, (connection) => add(connection, word)),
    );
    const results = await Promise.allSettled(writes);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(await words(stored)).toEqual(["a", "b", "c"]);
    await stored.close();
  });

  test("the error of a transaction is the first failure, not one that follows from it", async () => {
    const stored = await database(await engine.url());
    const written = stored.write(tenant, async (connection) => {
      await add(connection, "a");
      await add(connection, "a");
      return connection.all(sql`select word from words`);
    });
    await expect(written).rejects.toThrow(/unique/i);
    expect(await words(stored)).toEqual([]);
    await stored.close();
  });

  test("closing waits for running transactions", async () => {
    const url = await engine.url();
    const stored = await database(url);
    const writes = ["a", "b", "c"].map((word) =>
      stored.write(tenant, (connection) => add(connection, word)),
    );
    await stored.close();
    await Promise.all(writes);
    const again = await openDatabase({ url });
    expect(await words(again)).toEqual(["a", "b", "c"]);
    await again.close();
  });
});
