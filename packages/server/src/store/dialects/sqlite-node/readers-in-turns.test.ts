import { expect, test } from "vitest";
import { StoreTimeoutError } from "../../types/errors.ts";
import type { Reader } from "../dialect.ts";
import { sql } from "../sql.ts";
import { sqliteDialect } from "../sqlite/sqlite-dialect.ts";
import { readersInTurns } from "./readers-in-turns.ts";

/** Reads over one thread, whose first statement runs until the test ends it. */
function readsOf(statementMilliseconds: number) {
  const clock = { milliseconds: 0 };
  const first = Promise.withResolvers<readonly never[]>();
  const statements: string[] = [];
  const connection: Reader = {
    dialect: sqliteDialect,
    aside: null,
    all: (query) => {
      statements.push(query.text);
      return statements.length === 1 ? first.promise : Promise.resolve([]);
    },
    tuples: () => Promise.reject(new Error("not used")),
  };
  const { of: readerOf } = readersInTurns({
    dialect: sqliteDialect,
    connections: [connection],
    path: "words.sqlite",
    statementMilliseconds,
    now: () => clock.milliseconds,
  });
  return { readerOf, clock, statements, endFirst: () => first.resolve([]) };
}

test("a statement that has waited beyond its limit is refused", async () => {
  const { readerOf, clock, statements, endFirst } = readsOf(1_000);
  const first = readerOf("a").all(sql`first`);
  const late = readerOf("b").all(sql`late`);
  clock.milliseconds = 500;
  const early = readerOf("b").all(sql`early`);
  clock.milliseconds = 1_001;
  endFirst();
  await expect(late).rejects.toThrow(StoreTimeoutError);
  await expect(late).rejects.toThrow("database words.sqlite: a statement took too long");
  expect(await Promise.all([first, early])).toEqual([[], []]);
  expect(statements).toEqual(["first", "early"]);
});

test("without a limit, a statement waits for its turn", async () => {
  const { readerOf, clock, endFirst } = readsOf(0);
  void readerOf("a").all(sql`first`);
  const late = readerOf("b").all(sql`late`);
  clock.milliseconds = 1e9;
  endFirst();
  expect(await late).toEqual([]);
});
