import type { Database } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";
import type { LimitCount, LimitCounts, LimitTotal } from "../../foundation/limit-counts.ts";

interface CountRow {
  readonly name: string;
  readonly key: string;
  readonly used: number;
  readonly ends_at: number;
}

/** Time in which the clocks of servers may differ. */
const clockMilliseconds = 60_000;

/**
 * The table `limit_counts` of PostgreSQL. It is unlogged, so that a count writes nothing to the write-ahead log and
 * waits for no disk. It has no row-level security: its keys are tenants and addresses.
 */
export class StoredLimitCounts implements LimitCounts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Locks the rows in the order of their keys, so that servers do not wait for each other in a circle. */
  async add(
    counts: readonly LimitCount[],
    now: Date,
    windowMilliseconds: number,
  ): Promise<readonly LimitTotal[]> {
    const at = now.getTime();
    const endsAt = at + windowMilliseconds;
    const isOver = sql`(c.ends_at <= ${at} or c.ends_at > ${endsAt + clockMilliseconds})`;
    const rows = await this.#database.write(null, (connection) =>
      connection.all(sql<CountRow>`
        insert into limit_counts as c (name, key, used, ends_at)
        select n."limit", n.key, n.count, ${endsAt}::bigint
        from json_to_recordset(${JSON.stringify(counts)}::json)
          as n ("limit" text, key text, count bigint)
        order by 1, 2
        on conflict (name, key) do update
        set used = case when ${isOver} then 0 else c.used end + excluded.used,
          ends_at = case when ${isOver} then excluded.ends_at else c.ends_at end
        returning c.name, c.key, c.used, c.ends_at`),
    );
    return rows.map(({ name, key, used, ends_at }) => ({
      limit: name,
      key,
      count: used,
      endsAt: ends_at,
    }));
  }

  async purge(now: Date): Promise<number> {
    const rows = await this.#database.write(null, (connection) =>
      connection.all(sql`
        delete from limit_counts where (name, key) in (
          select name, key from limit_counts
          where ends_at <= ${now.getTime() - clockMilliseconds}
          order by name, key limit 10000 for update skip locked)
        returning 1 as deleted`),
    );
    return rows.length;
  }
}
