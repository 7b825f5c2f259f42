import { canonicalTimestamp } from "@security-platform/fql";
import type { Connection, InsertTarget } from "../dialects/dialect.ts";
import { sql, type Bindable } from "../dialects/sql.ts";
import { StoreError } from "../types/errors.ts";
import type { JsonObject, RecordChange, Resource } from "../types/types.ts";

/** The kind of the jobs that run at a resource's due instant. */
export const dueKind = ({ name }: Resource, instant: string): string => `${name}.${instant}`;

const target: InsertTarget = {
  table: "jobs",
  columns: ["cid", "kind", "state", "key", "due", "payload", "due_at", "run_at", "created_at"].map(
    (name) => ({ name, type: "text" }),
  ),
};

/** A due instant that a write has set, moved or removed. */
interface ChangedInstant {
  readonly kind: string;
  /** Resource, record id and name of the instant. */
  readonly due: string;
  readonly id: string;
  readonly at: string | null;
}

/**
 * Updates the jobs of due instants, inside the transaction that writes the records. An unchanged instant gets
 * no new job, even if it is in the past.
 */
export async function followDueInstants<Record extends object>(
  connection: Connection,
  cid: string,
  resource: Resource<Record>,
  changes: readonly RecordChange<Record>[],
  now: Date,
): Promise<void> {
  const changed = changes.flatMap((change) => changedInstants(resource, change));
  if (changed.length === 0) return;
  const isDue = (instants: readonly ChangedInstant[]) =>
    connection.dialect.anyOf(
      sql`due`,
      instants.map(({ due }) => due),
      "text",
    );
  await connection.send(sql`delete from jobs where cid = ${cid}
    and state in ('queued', 'failed', 'dead') and ${isDue(changed)}`);
  const added = changed.filter(({ at }) => at !== null);
  if (added.length === 0) return;
  // If an instant was moved and then moved back, its first job may already be running.
  const running = await connection.all(sql<{ due: string; due_at: string }>`
    select due, due_at from jobs where cid = ${cid} and state = 'running' and ${isDue(added)}`);
  const covered = new Set(running.map(({ due, due_at }) => `${due_at} ${due}`));
  const created = now.toISOString();
  const rows = added
    .filter(({ due, at }) => !covered.has(`${at} ${due}`))
    .map(({ kind, due, id, at }): readonly Bindable[] => {
      const key = `${resource.name}/${id}`;
      return [cid, kind, "queued", key, due, JSON.stringify({ id }), at, at, created];
    });
  if (rows.length > 0) await connection.insert(target, rows);
}

function changedInstants<Record extends object>(
  resource: Resource<Record>,
  { before, after }: RecordChange<Record>,
): readonly ChangedInstant[] {
  const id = String(((after ?? before) as JsonObject | null)?.[resource.id]);
  return Object.keys(resource.due ?? {}).flatMap((name) => {
    const at = dueAt(resource, name, after);
    if (at === dueAt(resource, name, before)) return [];
    return [{ kind: dueKind(resource, name), due: `${resource.name}/${id}/${name}`, id, at }];
  });
}

/** The record's due instant in the form of job columns: UTC with milliseconds. Null if it has none. */
export function dueAt<Record extends object>(
  { name: resource, due }: Resource<Record>,
  name: string,
  record: Record | null,
): string | null {
  const at = record === null ? null : (due?.[name]?.at(record) ?? null);
  if (at === null) return null;
  const canonical = canonicalTimestamp(at);
  if (canonical === null) {
    throw new StoreError(`${resource}: ${name} is due at "${at}", which is not a timestamp`);
  }
  return `${canonical.slice(0, 23)}Z`;
}
