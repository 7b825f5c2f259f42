import { sql } from "kysely";
import type { Connection } from "./dialects/dialect.ts";
import { rowsOf } from "./statements.ts";
import type { AuditEntry } from "./types.ts";

/** Appends to the tenant's trail, inside its transaction: the numbers have no gaps. */
export async function appendAudit(
  connection: Connection,
  cid: string,
  { at, ids, ...entry }: AuditEntry,
): Promise<void> {
  const { builder } = connection.dialect;
  const number = sql<number>`(
    select coalesce(max(number), 0) + 1 from audit_entries where cid = ${cid})`;
  await rowsOf(
    connection,
    builder
      .insertInto("audit_entries")
      .values({ ...entry, cid, number, at: at.toISOString(), ids: JSON.stringify(ids) }),
  );
}
