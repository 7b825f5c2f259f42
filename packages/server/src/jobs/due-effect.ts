import { dueAt, dueKind, type Resource, type Transaction } from "../store/index.ts";
import type { JobKind } from "./job-kind.ts";

/** A record and one of its due instants. */
export interface Occasion<Record extends object> {
  /** A transaction of the record's tenant. It commits together with the end of the job. */
  readonly transaction: Transaction;
  /** The record before it expires. */
  readonly record: Record;
  /** The due instant, even if the effect runs later. */
  readonly now: Date;
}

type DuePayload = { readonly id: string };

/** Maximum number of attempts. It is higher than for other jobs, because a missed effect is never repeated. */
const attempts = 24;

/**
 * The effect of the due instant `name` on a record of `resource`. It runs inside a transaction, exactly once
 * for each instant. The effects on one record run one after the other. An effect enqueues a job for anything
 * that is not a write to the database.
 */
export function dueEffect<Record extends object>(
  resource: Resource<Record>,
  name: string,
  effect: (occasion: Occasion<Record>) => Promise<void>,
): JobKind<DuePayload> {
  if (resource.due?.[name] === undefined) {
    throw new TypeError(`${resource.name} has no due instant ${name}`);
  }
  return {
    name: dueKind(resource, name),
    attempts,
    run: async ({ payload: { id }, dueAt: now }) => ({
      commit: async (transaction) => {
        const record = (await transaction.records(resource).getForUpdate([id])).get(id);
        // If the record has changed since the job was claimed, the change has enqueued another job.
        if (record === undefined || dueAt(resource, name, record) !== now.toISOString()) {
          return { canceled: true };
        }
        await effect({ transaction, record, now });
      },
    }),
  };
}
