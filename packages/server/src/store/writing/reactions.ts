import type { Connection } from "../dialects/dialect.ts";
import { followDueInstants } from "./due-instants.ts";
import type { JsonObject, RecordChange, Resource, Transaction } from "../types/types.ts";

/** Runs the reactions to a write. */
export type React<Record> = (changes: readonly RecordChange<Record>[], now: Date) => Promise<void>;

/** The parts of the transaction that reactions need. */
export interface ReactionContext {
  readonly connection: Connection;
  /** All resources of the store. `reactions` are set only on these. */
  readonly resources: readonly Resource[];
  readonly transaction: Transaction;
  /** Called when the jobs of due instants may have changed. */
  readonly noteJobs: () => void;
}

/**
 * The reactions to a write to the resource: jobs of due instants first, then its own reactions. Null: none.
 */
export function reactionsTo<Record extends object>(
  resource: Resource<Record>,
  { connection, resources, transaction, noteJobs }: ReactionContext,
): React<Record> | null {
  const registered = resources.find(({ name }) => name === resource.name);
  const reactions = registered?.reactions ?? [];
  if (reactions.length === 0 && resource.due === undefined) return null;
  return async (changes, now) => {
    // This comes first, because a reaction may change these records again.
    if (resource.due !== undefined) {
      noteJobs();
      await followDueInstants(connection, transaction.cid, resource, changes, now);
    }
    for (const reaction of reactions) await reaction.run(transaction, changes, now);
  };
}

/** The changes of a write. Records that are only in `before` were removed. */
export function changesOf<Record extends object>(
  { id }: Resource<Record>,
  before: ReadonlyMap<string, Record>,
  after: readonly Record[],
): readonly RecordChange<Record>[] {
  const idOf = (record: Record): string => String((record as JsonObject)[id]);
  const stored = new Set(after.map(idOf));
  const removed = [...before].filter(([removedId]) => !stored.has(removedId));
  return [
    ...after.map((record) => ({ before: before.get(idOf(record)) ?? null, after: record })),
    ...removed.map(([, record]) => ({ before: record, after: null })),
  ];
}
