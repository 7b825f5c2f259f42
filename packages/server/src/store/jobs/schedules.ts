import type { Connection, Database } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";
import { enqueueJob } from "./enqueue.ts";
import type { Schedule } from "../types/job.ts";
import { platformCid } from "../types/types.ts";

interface ScheduleRow {
  readonly kind: string;
  readonly every_milliseconds: number;
  readonly next_at: string;
}

const storedSchedules = (database: Database): Promise<readonly ScheduleRow[]> =>
  database.read([], (connection) =>
    connection.all(sql<ScheduleRow>`select kind, every_milliseconds, next_at from schedules`),
  );

/** Stores schedules and their intervals. */
export async function storeSchedules(
  database: Database,
  schedules: readonly Schedule[],
  now: Date,
): Promise<void> {
  const stored = await storedSchedules(database);
  const intervals = new Map(stored.map((row) => [row.kind, row.every_milliseconds]));
  for (const { kind, everyMilliseconds } of schedules) {
    if (intervals.get(kind) === everyMilliseconds) continue;
    const next = after(now, everyMilliseconds).toISOString();
    await database.write(null, (connection) =>
      connection.send(sql`
        insert into schedules (kind, every_milliseconds, next_at)
        values (${kind}, ${everyMilliseconds}, ${next})
        on conflict (kind) do update set every_milliseconds = excluded.every_milliseconds,
          next_at = excluded.next_at`),
    );
  }
}

/** Enqueues the jobs that are due. Returns when the next schedule is due. */
export async function fireSchedules(
  database: Database,
  schedules: readonly Schedule[],
  now: Date,
): Promise<Date> {
  const stored = await storedSchedules(database);
  const instants = new Map(stored.map(({ kind, next_at }) => [kind, new Date(next_at)]));
  let earliest = Number.POSITIVE_INFINITY;
  for (const { kind, everyMilliseconds } of schedules) {
    let next = instants.get(kind) ?? now;
    if (next <= now) {
      next = after(now, everyMilliseconds);
      const following = next;
      await database.write(null, (connection) => fire(connection, kind, now, following));
    }
    earliest = Math.min(earliest, next.getTime());
  }
  return new Date(earliest);
}

async function fire(connection: Connection, kind: string, now: Date, next: Date): Promise<void> {
  const taken = await connection.all(sql`
    update schedules set next_at = ${next.toISOString()}
    where kind = ${kind} and next_at <= ${now.toISOString()} returning kind`);
  // Another process may have been faster.
  if (taken.length === 0) return;
  const key = `schedule/${kind}`;
  const unfinished = await connection.all(sql`
    select 1 from jobs
    where cid = ${platformCid} and key = ${key} and run_at is not null limit 1`);
  if (unfinished.length === 0) await enqueueJob(connection, platformCid, { kind, key }, now);
}

const after = (instant: Date, milliseconds: number): Date =>
  new Date(instant.getTime() + milliseconds);
