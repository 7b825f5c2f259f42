import type { Connection } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";
import { StoreError } from "../types/errors.ts";
import type { Transaction } from "../types/types.ts";

/**
 * `Transaction.raiseCatalogue`. The transaction holds the tenant's lock, so no other one has read the version before. The
 * change comes last, because Citus makes transactions that change a table of all nodes wait for each other.
 */
export async function raiseCatalogue(
  connection: Connection,
  cid: string,
  version: number,
  beforeCommit: Transaction["beforeCommit"],
): Promise<number> {
  const [row] = await connection.all(
    sql<{ before: number }>`select catalogue_version as before from tenants where cid = ${cid}`,
  );
  if (row === undefined) throw new StoreError(`there is no tenant ${cid}`);
  if (row.before < version) {
    beforeCommit(() =>
      connection.send(sql`update tenants set catalogue_version = ${version} where cid = ${cid}`),
    );
  }
  return row.before;
}

/** `Transaction.changeSetting`. Only transactions of one tenant change the setting, so no other one has read it before. */
export async function changeSetting(
  connection: Connection,
  name: string,
  value: string,
  isOld: (stored: string) => boolean,
): Promise<boolean> {
  const [row] = await connection.all(
    sql<{ value: string }>`select value from settings where name = ${name}`,
  );
  if (row === undefined || !isOld(row.value)) return false;
  await connection.send(sql`update settings set value = ${value} where name = ${name}`);
  return true;
}
