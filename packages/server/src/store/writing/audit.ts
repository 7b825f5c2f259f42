import { sql } from "kysely";
import type { Connection } from "../dialects/dialect.ts";
import { StoreError } from "../types/errors.ts";
import { Parameter } from "../statements/plan-key.ts";
import { bind, rowsOf, Template, type Statements } from "../statements/statements.ts";
import { platformCid, type AuditEntry } from "../types/types.ts";

interface Entry {
  readonly cid: Parameter<string>;
  readonly at: Parameter<string>;
  readonly actor: Parameter<string>;
  readonly client_id: Parameter<string | null>;
  readonly operation: Parameter<string>;
  readonly trace_id: Parameter<string | null>;
  readonly comment: Parameter<string | null>;
  readonly ids: Parameter<string>;
}

const appendEntry = new Template<Entry, unknown, null>(
  (entry) => sql`insert into audit_entries
      (cid, number, at, actor, client_id, operation, trace_id, comment, ids)
    values (${bind(entry.cid)},
      (select coalesce(max(number), 0) + 1 from audit_entries where cid = ${bind(entry.cid)}),
      ${bind(entry.at)}, ${bind(entry.actor)}, ${bind(entry.client_id)}, ${bind(entry.operation)},
      ${bind(entry.trace_id)}, ${bind(entry.comment)}, ${bind(entry.ids)})`,
);

/**
 * Appends to an audit trail, inside a transaction of the tenant `writer`. The entries are numbered without
 * gaps. Throws `StoreError` for another tenant's trail: only the platform may append to every trail.
 */
export async function appendAudit(
  connection: Connection,
  statements: Statements,
  writer: string,
  { at, ids, cid = writer, ...entry }: AuditEntry,
): Promise<void> {
  if (cid !== writer) {
    if (writer !== platformCid) throw new StoreError(`${writer} writes to the trail of ${cid}`);
    // Blocks the tenant's own transactions, which number entries of the same trail.
    const locked = await rowsOf(
      connection,
      connection.dialect.builder
        .updateTable("write_numbers")
        .set((row) => ({ swept: row.ref("swept") }))
        .where("cid", "=", cid)
        .where("resource", "=", "")
        .returning("cid"),
    );
    if (locked.length === 0) throw new StoreError(`there is no tenant ${cid}`);
  }
  await statements.send(connection, appendEntry, null, {
    cid: new Parameter(cid),
    at: new Parameter(at.toISOString()),
    actor: new Parameter(entry.actor),
    client_id: new Parameter(entry.client_id),
    operation: new Parameter(entry.operation),
    trace_id: new Parameter(entry.trace_id),
    comment: new Parameter(entry.comment),
    ids: new Parameter(JSON.stringify(ids)),
  });
}
