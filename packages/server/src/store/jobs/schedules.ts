import { sql } from "kysely";
import type { Connection, Database } from "../dialects/dialect.ts";
import { enqueueJob } from "./enqueue.ts";
import type { Schedule } from "../types/job.ts";
import { Parameter } from "../statements/plan-key.ts";
import { bind, rowsOf, Template, type Statements } from "../statements/statements.ts";
import { platformCid } from "../types/types.ts";

/** Stores schedules and their intervals. */
export async function storeSchedules(
  database: Database,
  schedules: readonly Schedule[],
  now: Date,
): Promise<void> {
  const { builder } = database.dialect;
  const stored = await database.read([], (connection) =>
    rowsOf(connection, builder.selectFrom("schedules").selectAll()),
  );
  const intervals = new Map(stored.map((row) => [row.kind, row.every_milliseconds]));
  for (const { kind, everyMilliseconds: every_milliseconds } of schedules) {
    if (intervals.get(kind) === every_milliseconds) continue;
    const next_at = after(now, every_milliseconds).toISOString();
    const insert = builder
      .insertInto("schedules")
      .values({ kind, every_milliseconds, next_at })
      .onConflict((conflict) =>
        conflict.column("kind").doUpdateSet({ every_milliseconds, next_at }),
      );
    await database.write(null, (connection) => rowsOf(connection, insert));
  }
}

interface TakePlan {
  readonly kind: Parameter<string>;
  readonly now: Parameter<string>;
  readonly next: Parameter<string>;
}

const takeDue = new Template<TakePlan, unknown, null>(
  ({ kind, now, next }) => sql`update schedules set next_at = ${bind(next)}
    where kind = ${bind(kind)} and next_at <= ${bind(now)} returning kind`,
);

const unfinished = new Template<{ key: Parameter<string> }, unknown, null>(
  ({ key }) => sql`select 1 from jobs
    where cid = ${platformCid} and key = ${bind(key)} and run_at is not null limit 1`,
);

/** Enqueues the jobs that are due. Returns when the next schedule is due. */
export async function fireSchedules(
  database: Database,
  statements: Statements,
  schedules: readonly Schedule[],
  now: Date,
): Promise<Date> {
  const { builder } = database.dialect;
  const rows = await database.read([], (connection) =>
    rowsOf(connection, builder.selectFrom("schedules").select(["kind", "next_at"])),
  );
  const instants = new Map(rows.map(({ kind, next_at }) => [kind, new Date(next_at)]));
  let earliest = Number.POSITIVE_INFINITY;
  for (const { kind, everyMilliseconds } of schedules) {
    let next = instants.get(kind) ?? now;
    if (next <= now) {
      next = after(now, everyMilliseconds);
      const following = next;
      await database.write(null, (connection) =>
        fire(connection, statements, kind, now, following),
      );
    }
    earliest = Math.min(earliest, next.getTime());
  }
  return new Date(earliest);
}

async function fire(
  connection: Connection,
  statements: Statements,
  kind: string,
  now: Date,
  next: Date,
): Promise<void> {
  const taken = await statements.run(connection, takeDue, null, {
    kind: new Parameter(kind),
    now: new Parameter(now.toISOString()),
    next: new Parameter(next.toISOString()),
  });
  // Another process may have been faster.
  if (taken.length === 0) return;
  const key = `schedule/${kind}`;
  const last = await statements.run(connection, unfinished, null, { key: new Parameter(key) });
  if (last.length > 0) return;
  await enqueueJob(connection, statements, platformCid, { kind, key }, now);
}

const after = (instant: Date, milliseconds: number): Date =>
  new Date(instant.getTime() + milliseconds);
