import { dueAt, dueKind } from "../store/due-instants.ts";
import type { Resource, Transaction } from "../store/types.ts";
import type { JobKind } from "./job-kind.ts";

/** A record at an instant that it was due. */
export interface Occasion<Record extends object> {
  /** Of the record's tenant. It commits together with the end of the instant. */
  readonly transaction: Transaction;
  /** Before it expires. */
  readonly record: Record;
  /** The due instant, however late the effect runs. */
  readonly now: Date;
}

type DuePayload = { readonly id: string };

/** More attempts than other jobs have: a missed effect is never made up for. */
const attempts = 24;

/**
 * What happens to a record of `resource` at its due instant `name`. The effect runs inside a transaction,
 * exactly once for each instant, and one after the other for each record. It enqueues a job for anything
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
        // The record may have changed after the job was claimed. The change then enqueued another job.
        if (record === undefined || dueAt(resource, name, record) !== now.toISOString()) {
          return { canceled: true };
        }
        await effect({ transaction, record, now });
      },
    }),
  };
}
