import { sql } from "kysely";
import type { Connection } from "../dialects/dialect.ts";
import type { NewJob } from "../types/job.ts";
import { Parameter } from "../statements/plan-key.ts";
import { bind, Template, type Statements } from "../statements/statements.ts";

interface EnqueuePlan {
  readonly cid: Parameter<string>;
  readonly kind: Parameter<string>;
  readonly key: Parameter<string | null>;
  readonly payload: Parameter<string>;
  readonly at: Parameter<string>;
  readonly now: Parameter<string>;
}

const enqueue = new Template<EnqueuePlan, { id: number }, null>(
  ({ cid, kind, key, payload, at, now }) => sql<{ id: number }>`
    insert into jobs (cid, kind, state, key, payload, due_at, run_at, created_at)
    values (${bind(cid)}, ${bind(kind)}, 'queued', ${bind(key)}, ${bind(payload)}, ${bind(at)},
      ${bind(at)}, ${bind(now)})
    returning id`,
);

/** Adds a job to the queue, inside a transaction of its tenant. Returns its id. */
export async function enqueueJob(
  connection: Connection,
  statements: Statements,
  cid: string,
  { kind, payload = {}, key, at }: NewJob,
  now: Date,
): Promise<number> {
  const [row] = await statements.run(connection, enqueue, null, {
    cid: new Parameter(cid),
    kind: new Parameter(kind),
    key: new Parameter(key ?? null),
    payload: new Parameter(JSON.stringify(payload)),
    at: new Parameter((at ?? now).toISOString()),
    now: new Parameter(now.toISOString()),
  });
  if (row === undefined) throw new Error("the queue returned no job id");
  return row.id;
}
