import { sql, type Selectable } from "kysely";
import type { Parameter } from "../statements/plan-key.ts";
import { bind, Template, type Target } from "../statements/statements.ts";
import type { Tables } from "../types/tables.ts";

export type JobRow = Selectable<Tables["jobs"]>;

interface KindsPlan {
  readonly kinds: Parameter<readonly string[]>;
}

interface DuePlan extends KindsPlan {
  readonly now: Parameter<string>;
}

/** A job with a lease that is still held. */
interface LeasePlan {
  readonly job: Parameter<number>;
  readonly token: Parameter<string>;
}

const isHeld = ({ job, token }: LeasePlan) =>
  sql`id = ${bind(job)} and lease = ${bind(token)} and state = 'running'`;

const isOfKinds = (table: string, { kinds }: KindsPlan, { dialect }: Target<null>) =>
  dialect.anyOf(sql.ref(`${table}.kind`), bind(kinds), "text");

export const anyDue = new Template<DuePlan, unknown, null>(
  (plan, target) => sql`select 1 from jobs where due_at <= ${bind(plan.now)}
    and run_at <= ${bind(plan.now)} and ${isOfKinds("jobs", plan, target)} limit 1`,
);

interface ClaimPlan extends DuePlan {
  readonly limit: Parameter<number>;
  readonly worker: Parameter<string>;
  readonly token: Parameter<string>;
  readonly leaseUntil: Parameter<string>;
}

/**
 * A job waits for earlier jobs with the same key, and for a running one. A running job whose lease has ended
 * does not wait, because it has already started.
 */
export const claimDue = new Template<ClaimPlan, JobRow, null>((plan, target) => {
  const { now, limit, worker, token, leaseUntil } = plan;
  return sql<JobRow>`
    with picked as materialized (
      select job.id from jobs as job
      where job.due_at <= ${bind(now)} and job.run_at <= ${bind(now)}
        and ${isOfKinds("job", plan, target)}
        and (job.key is null or job.state = 'running' or not exists (
          select 1 from jobs as other
          where other.cid = job.cid and other.key = job.key and other.id <> job.id
            and other.run_at is not null
            and (other.state = 'running' or other.due_at < job.due_at
              or (other.due_at = job.due_at and other.id < job.id))))
      order by job.due_at, job.id limit ${bind(limit)} ${target.dialect.skipLocked}
    )
    update jobs set state = 'running', attempts = attempts + 1, worker = ${bind(worker)},
      lease = ${bind(token)}, started_at = ${bind(now)}, run_at = ${bind(leaseUntil)}
    where id in (select id from picked)
    returning *`;
});

interface ProgressPlan extends LeasePlan {
  /** Null keeps the stored progress. */
  readonly progress: Parameter<string | null>;
}

interface RenewPlan extends ProgressPlan {
  readonly until: Parameter<string>;
}

export const renewLease = new Template<RenewPlan, unknown, null>(
  (plan) => sql`update jobs set run_at = ${bind(plan.until)},
    progress = coalesce(${bind(plan.progress)}, progress) where ${isHeld(plan)} returning id`,
);

/** Locks the job until the transaction ends. */
export const holdLease = new Template<ProgressPlan, unknown, null>(
  (plan) => sql`update jobs set progress = coalesce(${bind(plan.progress)}, progress)
    where ${isHeld(plan)} returning id`,
);

interface SuccessPlan extends LeasePlan {
  readonly now: Parameter<string>;
  readonly purgeAt: Parameter<string>;
  readonly result: Parameter<string | null>;
}

export const markSucceeded = new Template<SuccessPlan, unknown, null>(
  (plan) => sql`update jobs set state = 'succeeded', run_at = null, lease = null, error = null,
      finished_at = ${bind(plan.now)}, purge_at = ${bind(plan.purgeAt)},
      result = ${bind(plan.result)}
    where ${isHeld(plan)} returning id`,
);

interface FailurePlan extends LeasePlan {
  readonly state: Parameter<string>;
  readonly error: Parameter<string>;
  readonly runAt: Parameter<string | null>;
  readonly finishedAt: Parameter<string | null>;
  readonly purgeAt: Parameter<string | null>;
}

export const markFailed = new Template<FailurePlan, unknown, null>(
  (plan) => sql`update jobs set state = ${bind(plan.state)}, run_at = ${bind(plan.runAt)},
      lease = null, error = ${bind(plan.error)}, finished_at = ${bind(plan.finishedAt)},
      purge_at = ${bind(plan.purgeAt)}
    where ${isHeld(plan)} returning id`,
);

export const markReleased = new Template<
  LeasePlan & { readonly now: Parameter<string> },
  unknown,
  null
>(
  (plan) => sql`update jobs set state = case when attempts > 1 then 'failed' else 'queued' end,
      attempts = attempts - 1, run_at = ${bind(plan.now)}, lease = null
    where ${isHeld(plan)} returning id`,
);

export const nextRunAt = new Template<DuePlan, { at: string }, null>(
  (plan, target) => sql<{ at: string }>`select run_at as at from jobs
    where run_at > ${bind(plan.now)} and ${isOfKinds("jobs", plan, target)}
    order by run_at limit 1`,
);

interface PurgePlan {
  readonly now: Parameter<string>;
  readonly limit: Parameter<number>;
}

export const purgeEnded = new Template<PurgePlan, unknown, null>(
  ({ now, limit }) => sql`delete from jobs where id in (
    select id from jobs where purge_at <= ${bind(now)} order by purge_at limit ${bind(limit)})
    returning id`,
);
