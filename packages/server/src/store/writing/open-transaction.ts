import { sql } from "../dialects/sql.ts";
import type { Layout } from "../rows/columns.ts";
import type { Connection } from "../dialects/dialect.ts";
import { StoreError } from "../types/errors.ts";
import { instantText } from "../reading/view.ts";

/** A transaction of one tenant. */
export interface OpenTransaction {
  readonly cid: string;
  /** The write number of the tenant for this transaction. Rejects for an unknown tenant. */
  readonly number: Promise<number>;
  /** The start of the transaction, in the form of timestamp columns. */
  readonly at: string;
  readonly connection: Connection;
  /** True if the transaction creates the tenant, so nobody else has written records of it. */
  readonly isNewTenant: boolean;
  /** The layouts into which the transaction has inserted rows. */
  readonly written: Set<Layout>;
  /** Unique keys that the transaction has found free, by layout. */
  readonly freeKeys: Map<Layout, ReadonlySet<string>>;
  /** Ids that the transaction has found free, by layout. Ids of deleted records are not free. */
  readonly freeIds: Map<Layout, ReadonlySet<string>>;
  /** See `Growth`. Null: nobody asks. */
  readonly growth: { bytes: number; written: number } | null;
}

/**
 * Takes the tenant's next write number without waiting for the result. Its row stays locked until the
 * transaction ends, so a tenant's writes run one after the other.
 */
export async function openTransaction(
  connection: Connection,
  cid: string,
  {
    now,
    isNewTenant,
    isMeasured,
  }: { readonly now: Date; readonly isNewTenant: boolean; readonly isMeasured: boolean },
): Promise<OpenTransaction> {
  const at = instantText(now);
  const number = nextNumber(connection, cid);
  // The users of the number see the failure, and so does the end of the transaction.
  number.catch(() => undefined);
  await connection.send(sql`
    insert into write_times (cid, number, at)
    select cid, number, ${at} from write_numbers where cid = ${cid} and resource = ''`);
  return {
    cid,
    number,
    at,
    connection,
    isNewTenant,
    written: new Set(),
    freeKeys: new Map(),
    freeIds: new Map(),
    growth: isMeasured ? { bytes: 0, written: 0 } : null,
  };
}

/** Throws `StoreError` for an unknown tenant. */
async function nextNumber(connection: Connection, cid: string): Promise<number> {
  const take = sql<{ number: number }>`
    update write_numbers set number = number + 1
    where cid = ${cid} and resource = '' returning number`;
  const { locked } = connection;
  const lastNumber = locked.get(cid);
  if (lastNumber !== undefined) {
    locked.set(cid, lastNumber + 1);
    await connection.send(take);
    return lastNumber + 1;
  }
  const [row] = await connection.all(take);
  if (row === undefined) throw new StoreError(`there is no tenant ${cid}`);
  locked.set(cid, row.number);
  return row.number;
}
