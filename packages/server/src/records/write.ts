import type { Caller } from "../call.ts";
import type { Context } from "../context.ts";
import { errors } from "../errors.ts";
import type {
  AuditEntry,
  RecordText,
  Resource,
  Transaction,
  WritableRecords,
} from "../store/types.ts";

/** The part of a call that a write needs. */
export interface WritingCall {
  readonly operation: { readonly id: string };
  readonly caller: Caller;
  readonly context: Pick<Context, "store">;
  readonly now: Date;
  readonly traceId: string;
}

/** Who writes, for which tenant, and when. */
export interface Author {
  readonly cid: string;
  /** The same in `created_by`, `modified_by` and the audit trail. */
  readonly actor: string;
  readonly now: Date;
}

/** The uid of the user that the client acts as, else the client id. */
export const actorOf = ({ user, clientId }: Caller): string => user?.uid ?? clientId;

export const authorOf = ({ caller, now }: WritingCall): Author => ({
  cid: caller.cid,
  actor: actorOf(caller),
  now,
});

/** How the audit trail describes changed records. */
export interface AuditNote {
  readonly comment?: string | null | undefined;
  /** The tenant whose trail it is, for records that the platform stores. Default: the transaction's. */
  readonly cid?: string;
}

/** The records of one resource inside a write: every change is dated and audited. */
export interface WrittenRecords<Record extends object> {
  /** Reads inside the transaction, and writes that the audit trail does not mention. */
  readonly stored: WritableRecords<Record>;
  /** Locked records in the order of `ids`; 404 that names the missing ones. */
  take(ids: readonly string[], noun: string): Promise<readonly Record[]>;
  insert(records: readonly Record[], note?: AuditNote): Promise<readonly RecordText[]>;
  /** Replaces by id; no records, no change. */
  replace(records: readonly Record[], note?: AuditNote): Promise<readonly RecordText[]>;
  remove(ids: readonly string[], note?: AuditNote): Promise<void>;
}

/** One write under way: a transaction, its author, and the entries of the audit trail. */
export class Writing {
  readonly author: Author;
  readonly transaction: Transaction;
  readonly #call: WritingCall;
  /** Ids by trail and comment, in the order of the changes. */
  readonly #notes = new Map<string, { readonly note: AuditNote; readonly ids: Set<string> }>();

  constructor(call: WritingCall, transaction: Transaction) {
    this.author = authorOf(call);
    this.transaction = transaction;
    this.#call = call;
  }

  get now(): Date {
    return this.author.now;
  }

  records<Record extends object>(resource: Resource<Record>): WrittenRecords<Record> {
    const stored = this.transaction.records(resource);
    const { now } = this;
    const idOf = (record: Record): string => String(Reflect.get(record, resource.id));
    return {
      stored,
      take: (ids, noun) => takeAll(stored, ids, noun),
      insert: (records, note) => {
        if (records.length === 0) return Promise.resolve([]);
        this.audit(records.map(idOf), note);
        return stored.insert(records, now);
      },
      replace: (records, note) => {
        if (records.length === 0) return Promise.resolve([]);
        this.audit(records.map(idOf), note);
        return stored.replace(records, now);
      },
      remove: async (ids, note) => {
        if (ids.length === 0) return;
        this.audit(ids, note);
        await stored.remove(ids, now);
      },
    };
  }

  /** Notes ids for the audit trail; `records` does it for every change made through it. */
  audit(ids: readonly string[], note: AuditNote = {}): void {
    const comment = note.comment || null;
    const key = JSON.stringify([note.cid ?? null, comment]);
    const known = this.#notes.get(key);
    if (known === undefined)
      this.#notes.set(key, { note: { ...note, comment }, ids: new Set(ids) });
    else for (const id of ids) known.ids.add(id);
  }

  /** The entries of the audit trail, one for each trail and comment. */
  get entries(): readonly AuditEntry[] {
    const { operation, traceId } = this.#call;
    return [...this.#notes.values()].map(({ note: { comment = null, cid }, ids }) => ({
      at: this.now,
      actor: this.author.actor,
      operation: operation.id,
      trace_id: traceId,
      comment,
      ids: [...ids],
      ...(cid === undefined ? {} : { cid }),
    }));
  }
}

/**
 * The one way in which an operation writes: runs `work` in a transaction of the caller's tenant (or of
 * `cid`), then appends the audit entries. Reactions of the resources run with each change. An error
 * leaves nothing behind.
 */
export function write<Result>(
  call: WritingCall,
  work: (writing: Writing) => Promise<Result>,
  cid: string = call.caller.cid,
): Promise<Result> {
  return call.context.store.write(cid, async (transaction) => {
    const writing = new Writing(call, transaction);
    const result = await work(writing);
    for (const entry of writing.entries) {
      // oxlint-disable-next-line no-await-in-loop -- the trail keeps the order
      await transaction.audit(entry);
    }
    return result;
  });
}

async function takeAll<Record extends object>(
  records: WritableRecords<Record>,
  ids: readonly string[],
  noun: string,
): Promise<readonly Record[]> {
  const stored = await records.take(ids);
  const missing = [...new Set(ids.filter((id) => !stored.has(id)))];
  if (missing.length > 0) throw errors.recordsNotFound(noun, missing);
  return ids.flatMap((id) => stored.get(id) ?? []);
}
