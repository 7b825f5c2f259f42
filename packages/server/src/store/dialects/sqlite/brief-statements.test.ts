import { expect, test } from "vitest";
import { nodeDriver } from "../sqlite-node/node-driver.ts";
import { sql } from "../sql.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { whileInTime } from "./statement-limit.ts";

/** A connection to `rows` numbers. The clock goes `perCheck` milliseconds ahead each time that it is read. */
function numbers(rows: number, perCheck = 0) {
  const clock = { now: 0 };
  const handle = nodeDriver.open(":memory:");
  handle.exec("create table numbers (number integer primary key)");
  handle.exec(`insert into numbers with recursive n(at) as
    (select 1 union all select at + 1 from n where at < ${rows}) select at from n`);
  const connection = new SqliteConnection({
    dialect: sqliteDialect,
    path: ":memory:",
    handle,
    aside: null,
    statementMilliseconds: 60_000,
    now: () => (clock.now += perCheck),
  });
  const count = (from: number) =>
    connection.briefly(sql<readonly [number]>`
      select count(*) from numbers where number > ${from} and ${whileInTime(sql`number`)}`);
  return { clock, count };
}

test("a statement that looks at few rows is brief", async () => {
  const { count } = numbers(4_000);
  expect(await count(0)).toEqual([[4_000]]);
});

test("a statement that looks at many rows is not brief, and not run again for a while", async () => {
  const { clock, count } = numbers(10_000);
  expect(await count(0)).toBeNull();
  // It would be brief with this value, but its text is known to be long.
  expect(await count(9_990)).toBeNull();
  clock.now += 51;
  expect(await count(9_990)).toEqual([[10]]);
  expect(await count(9_990)).toEqual([[10]]);
});

test("a statement that is long again and again is tried less and less often", async () => {
  const { clock, count } = numbers(10_000);
  for (const pause of [50, 100, 200, 400, 800, 1_600, 3_200, 3_200]) {
    expect(await count(0)).toBeNull();
    clock.now += pause - 1;
    expect(await count(9_990), `${pause} ms`).toBeNull();
    clock.now += 2;
  }
  // A brief one halves the pause.
  expect(await count(9_990)).toEqual([[10]]);
  expect(await count(9_990)).toEqual([[10]]);
  expect(await count(0)).toBeNull();
  clock.now += 1_601;
  expect(await count(9_990)).toEqual([[10]]);
});

test("a statement that needs long for each row is not brief", async () => {
  expect(await numbers(1_000, 1).count(0)).toBeNull();
  expect(await numbers(1_000, 0.1).count(0)).toEqual([[1_000]]);
});
