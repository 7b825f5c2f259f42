import { sql } from "kysely";
import type { Connection } from "./dialects/dialect.ts";
import { StoreError } from "./errors.ts";
import { rowsOf } from "./statements.ts";
import { platformCid, type AuditEntry } from "./types.ts";

/**
 * Appends to a trail inside a transaction of `writer`: the numbers have no gaps. Throws `StoreError`
 * for another tenant's trail; the platform may append to any.
 */
export async function appendAudit(
  connection: Connection,
  writer: string,
  { at, ids, cid = writer, ...entry }: AuditEntry,
): Promise<void> {
  const { builder } = connection.dialect;
  if (cid !== writer) {
    if (writer !== platformCid) throw new StoreError(`${writer} writes to the trail of ${cid}`);
    // Holds back that tenant's own transactions, which take their numbers from the same trail.
    const locked = await rowsOf(
      connection,
      builder
        .updateTable("write_numbers")
        .set((row) => ({ swept: row.ref("swept") }))
        .where("cid", "=", cid)
        .where("resource", "=", "")
        .returning("cid"),
    );
    if (locked.length === 0) throw new StoreError(`there is no tenant ${cid}`);
  }
  const number = sql<number>`(
    select coalesce(max(number), 0) + 1 from audit_entries where cid = ${cid})`;
  await rowsOf(
    connection,
    builder
      .insertInto("audit_entries")
      .values({ ...entry, cid, number, at: at.toISOString(), ids: JSON.stringify(ids) }),
  );
}
