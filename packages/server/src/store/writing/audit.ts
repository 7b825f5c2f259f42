import type { Connection } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";
import { StoreError } from "../types/errors.ts";
import { platformCid, type AuditEntry } from "../types/types.ts";

/**
 * Appends to an audit trail, inside a transaction of the tenant `writer`. The entries are numbered without
 * gaps. Throws `StoreError` for another tenant's trail: only the platform may append to every trail.
 */
export async function appendAudit(
  connection: Connection,
  writer: string,
  { at, ids, cid = writer, ...entry }: AuditEntry,
): Promise<void> {
  if (cid !== writer) {
    if (writer !== platformCid) throw new StoreError(`${writer} writes to the trail of ${cid}`);
    // Blocks the tenant's own transactions, which number entries of the same trail.
    const locked = await connection.all(
      sql`update write_numbers set swept = swept where cid = ${cid} and resource = '' returning cid`,
    );
    if (locked.length === 0) throw new StoreError(`there is no tenant ${cid}`);
  }
  // The tenant comes from a table of its own: a distributed database then computes the number where both are.
  await connection.send(sql`
    insert into audit_entries
      (cid, number, at, actor, client_id, operation, trace_id, comment, ids)
    select tenant.cid,
      coalesce((select max(number) from audit_entries where cid = ${cid}), 0) + 1,
      ${at.toISOString()}, ${entry.actor}, ${entry.client_id}, ${entry.operation},
      ${entry.trace_id}, ${entry.comment}, ${JSON.stringify(ids)}
    from write_numbers as tenant where tenant.cid = ${cid} and tenant.resource = ''`);
}
