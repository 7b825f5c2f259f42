import type { Connection } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";
import type { NewJob } from "../types/job.ts";

/** Adds a job to the queue, inside a transaction of its tenant. Returns its id. */
export async function enqueueJob(
  connection: Connection,
  cid: string,
  { kind, payload = {}, key, at }: NewJob,
  now: Date,
): Promise<number> {
  const dueAt = (at ?? now).toISOString();
  const [row] = await connection.all(sql<{ id: number }>`
    insert into jobs (cid, kind, state, key, payload, due_at, run_at, created_at)
    values (${cid}, ${kind}, 'queued', ${key ?? null}, ${JSON.stringify(payload)}, ${dueAt}, ${dueAt},
      ${now.toISOString()})
    returning id`);
  if (row === undefined) throw new Error("the queue returned no job id");
  return row.id;
}
