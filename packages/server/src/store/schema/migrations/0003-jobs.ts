import type { Migration } from "./migration.ts";

/** The queue of background jobs, and the schedules that enqueue jobs at intervals. */
export const jobs: Migration = {
  number: 3,
  name: "jobs",
  up: async (connection, dialect) => {
    const { text, integer } = dialect.types;
    const { plain } = dialect.tableOptions;
    await connection.run(`
      create table jobs (
        id ${dialect.identity},
        cid ${text} not null,
        kind ${text} not null,
        state ${text} not null,
        key ${text},
        due ${text},
        payload ${text} not null,
        attempts ${integer} not null default 0,
        due_at ${text} not null,
        run_at ${text},
        lease ${text},
        worker ${text},
        created_at ${text} not null,
        started_at ${text},
        finished_at ${text},
        purge_at ${text},
        progress ${text},
        result ${text},
        error ${text}
      ) ${plain};
      create index jobs_due_at on jobs (due_at, id) where run_at is not null;
      create index jobs_run_at on jobs (run_at) where run_at is not null;
      create index jobs_key on jobs (cid, key) where run_at is not null;
      create unique index jobs_running on jobs (cid, key) where state = 'running';
      create index jobs_due on jobs (cid, due) where due is not null;
      create index jobs_purge_at on jobs (purge_at) where purge_at is not null;

      create table schedules (
        kind ${text} primary key,
        every_milliseconds ${integer} not null,
        next_at ${text} not null
      ) ${plain}`);
  },
};
