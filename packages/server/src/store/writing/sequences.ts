import type { Connection } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";

/**
 * The first of `count` successive numbers of a tenant's sequence, which starts at 1. The transaction holds
 * the tenant's lock, so every number is unique, and a rollback leaves no gap. `past`: numbers up to this one
 * are already used.
 */
export async function nextNumbers(
  connection: Connection,
  cid: string,
  { name, count, past }: { readonly name: string; readonly count: number; readonly past: number },
): Promise<number> {
  const after = sql`cast(${past} as bigint)`;
  const added = sql`cast(${count} as bigint)`;
  // No table name contains a colon. `rows` holds the last number. With 0 as `number`, sweeps ignore the row.
  const [row] = await connection.all(sql<{ rows: number }>`
    insert into write_numbers (cid, resource, number, rows)
    values (${cid}, ${`sequence:${name}`}, 0, ${after} + ${added})
    on conflict (cid, resource) do update
    set rows = ${added}
      + case when write_numbers.rows < ${after} then ${after} else write_numbers.rows end
    returning rows`);
  return (row?.rows ?? past + count) - count + 1;
}
