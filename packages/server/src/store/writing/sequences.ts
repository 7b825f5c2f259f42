import { sql } from "kysely";
import type { Connection } from "../dialects/dialect.ts";
import { Parameter } from "../statements/plan-key.ts";
import { bind, Template, type Statements } from "../statements/statements.ts";

interface SequencePlan {
  readonly cid: Parameter<string>;
  readonly name: Parameter<string>;
  readonly count: Parameter<number>;
  /** Numbers up to this one are already used. */
  readonly past: Parameter<number>;
}

/** `rows` holds the last number. With 0 as `number`, sweeps ignore the row. */
const takeNumbers = new Template<SequencePlan, { rows: number }, null>(
  ({ cid, name, count, past }) => sql<{ rows: number }>`
    insert into write_numbers (cid, resource, number, rows)
    values (${bind(cid)}, ${bind(name)}, 0, cast(${bind(past)} as bigint) + cast(${bind(count)} as bigint))
    on conflict (cid, resource) do update
    set rows = case when write_numbers.rows < cast(${bind(past)} as bigint) then cast(${bind(past)} as bigint)
      else write_numbers.rows end + cast(${bind(count)} as bigint)
    returning rows`,
);

/**
 * The first of `count` successive numbers of a tenant's sequence, which starts at 1. The transaction holds
 * the tenant's lock, so every number is unique, and a rollback leaves no gap. `past`: numbers up to this one
 * are already used.
 */
export async function nextNumbers(
  connection: Connection,
  statements: Statements,
  cid: string,
  {
    name,
    count,
    past = 0,
  }: { readonly name: string; readonly count: number; readonly past?: number },
): Promise<number> {
  const [row] = await statements.run(connection, takeNumbers, null, {
    cid: new Parameter(cid),
    // No table name contains a colon.
    name: new Parameter(`sequence:${name}`),
    count: new Parameter(count),
    past: new Parameter(past),
  });
  return (row?.rows ?? past + count) - count + 1;
}
