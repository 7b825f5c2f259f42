import { expect, test } from "vitest";
import { nodeDriver } from "../sqlite-node/node-driver.ts";
import { sql } from "../sql.ts";
import { inTime, StatementLimit, whileInTime } from "./statement-limit.ts";

/** Counts rows at equal distances. At each check, the clock goes one millisecond ahead. */
function count(rows: number, limit: StatementLimit, distance = 1): unknown {
  const handle = nodeDriver.open(":memory:");
  handle.function(inTime, () => limit.check());
  const condition = whileInTime(sql`number`).text;
  handle.exec("create table numbers (number integer primary key)");
  handle.exec(`insert into numbers with recursive n(at) as
    (select 1 union all select at + 1 from n where at < ${rows}) select at * ${distance} + 1 from n`);
  limit.begin();
  try {
    return handle.prepare(`select count(*) from numbers where ${condition}`).tuples([]);
  } finally {
    handle.close();
  }
}

const stepping = () => {
  let milliseconds = 0;
  return () => (milliseconds += 1);
};

test("a statement ends at the check beyond its limit", () => {
  expect(count(64 * 8, new StatementLimit(12, stepping()))).toEqual([[64 * 8]]);
  expect(() => count(64 * 18, new StatementLimit(12, stepping()))).toThrow("interrupted");
});

test.each([2, 3, 63, 64, 128, 4_096])(
  "a statement over the rows at distances of %i ends as well",
  (distance) => {
    expect(() => count(64 * 100, new StatementLimit(12, stepping()), distance)).toThrow(
      "interrupted",
    );
  },
);

test("0 is no limit", () => {
  expect(count(64 * 1_000, new StatementLimit(0, stepping()))).toEqual([[64_000]]);
});
