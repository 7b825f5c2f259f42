import { sql } from "../dialects/sql.ts";
import type { FieldQuery } from "./field-query.ts";
import { storedText } from "../rows/stored-values.ts";

/** The distinct values of a text field after `after`, or from the position `offset` on, in ascending order. */
export async function distinctValues(
  { run, decode }: FieldQuery,
  {
    limit,
    offset = 0,
    after,
  }: { readonly limit: number; readonly offset?: number; readonly after?: string },
): Promise<readonly string[]> {
  const from = after === undefined ? sql`` : sql`where value > ${storedText(after)}`;
  const rows = await run(
    (values) =>
      sql<{ value: unknown }>`select distinct value from ${values} ${from}
        order by value limit ${limit} offset ${offset}`,
  );
  return rows.map(({ value }) => String(decode(value)));
}

/** The number of distinct values, counted up to `ceiling`. */
export async function countDistinctValues({ run }: FieldQuery, ceiling: number): Promise<number> {
  const [row] = await run(
    (values) => sql<{ count: number }>`select count(*) as count from (
      select distinct value from ${values} limit ${ceiling}) as d`,
  );
  return row?.count ?? 0;
}
