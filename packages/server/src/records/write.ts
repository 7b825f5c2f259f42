import type { Caller } from "../calls/call.ts";
import type { Context } from "../calls/context.ts";
import { requireEach } from "./get.ts";
import type {
  AuditEntry,
  KeyedRequest,
  RecordText,
  Resource,
  Store,
  Transaction,
  WritableRecords,
  WriteOptions,
} from "../store/index.ts";

/** The part of a call that a write needs. */
export interface WritingCall {
  readonly operation: { readonly id: string };
  readonly caller: Caller;
  readonly context: Pick<Context, "store">;
  readonly now: Date;
  readonly traceId: string;
  /** Set for a request with an idempotency key. Its first write takes the key. */
  readonly keyed: KeyedRequest | null;
}

/** Who writes, for which tenant, and when. */
export interface Author {
  readonly cid: string;
  /** The same value as in `created_by`, `modified_by` and the audit trail. */
  readonly actor: string;
  readonly now: Date;
}

/** The uid of the user that the client acts as, or the client id. */
export const actorOf = ({ user, clientId }: Caller): string => user?.uid ?? clientId;

export const authorOf = ({ caller, now }: WritingCall): Author => ({
  cid: caller.cid,
  actor: actorOf(caller),
  now,
});

/** A change that is not made by an API operation, but by a command or by the server itself. */
export interface Command {
  readonly store: Pick<Store, "write">;
  /** The tenant whose records change. */
  readonly cid: string;
  /** The name in the audit trail, such as `users activate`. */
  readonly name: string;
  readonly now: Date;
  /** Default: `cli`. */
  readonly actor?: string;
}

/** The origin of a write: its author, and further data for the audit trail. */
interface Origin {
  readonly author: Author;
  readonly clientId: string | null;
  readonly operation: string;
  readonly traceId: string | null;
}

/** The description of changed records in the audit trail. */
export interface AuditNote {
  readonly comment?: string | null | undefined;
  /** The tenant of the trail, for records that the platform stores. Default: the author's tenant. */
  readonly cid?: string;
}

/** The records of one resource inside a write. Every change is dated and audited. */
export interface WrittenRecords<Record extends object> {
  /** Reads inside the transaction, and writes that are not audited. */
  readonly stored: WritableRecords<Record>;
  /** Locked records in the order of `ids`. Throws a 404 that names the missing ones. */
  getForUpdate(ids: readonly string[], noun: string): Promise<readonly Record[]>;
  insert(records: readonly Record[], note?: AuditNote): Promise<readonly RecordText[]>;
  /** Replaces records by id. An empty list changes nothing. */
  replace(records: readonly Record[], note?: AuditNote): Promise<readonly RecordText[]>;
  remove(ids: readonly string[], note?: AuditNote): Promise<void>;
}

/** A running write: a transaction, its author, and its entries in the audit trail. */
export class Writing {
  readonly author: Author;
  readonly transaction: Transaction;
  readonly #origin: Origin;
  /** The changed ids by audit trail and comment, in the order of the changes. */
  readonly #notes = new Map<
    string,
    { readonly cid: string; readonly comment: string | null; readonly ids: Set<string> }
  >();

  constructor(origin: Origin, transaction: Transaction) {
    this.author = origin.author;
    this.transaction = transaction;
    this.#origin = origin;
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
      getForUpdate: async (ids, noun) => requireEach(await stored.getForUpdate(ids), ids, noun),
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

  /** Adds ids to the audit trail. `records` does this for every change made through it. */
  audit(ids: readonly string[], note: AuditNote = {}): void {
    const { cid = this.author.cid } = note;
    const comment = note.comment || null;
    const key = JSON.stringify([cid, comment]);
    const earlierNote = this.#notes.get(key);
    if (earlierNote === undefined) this.#notes.set(key, { cid, comment, ids: new Set(ids) });
    else for (const id of ids) earlierNote.ids.add(id);
  }

  /** The entries of the audit trail, one for each trail and comment. */
  get entries(): readonly AuditEntry[] {
    const { author, clientId, operation, traceId } = this.#origin;
    return [...this.#notes.values()].map(({ cid, comment, ids }) => ({
      at: author.now,
      actor: author.actor,
      client_id: clientId,
      operation,
      trace_id: traceId,
      comment,
      ids: [...ids],
      cid,
    }));
  }
}

/**
 * The only way in which an operation writes. Runs `work` in a transaction of the caller's tenant (or of
 * `cid`), then appends the audit entries. The reactions of a resource run with each change. An error rolls
 * everything back.
 */
export function write<Result>(
  call: WritingCall,
  work: (writing: Writing) => Promise<Result>,
  cid: string = call.caller.cid,
  options?: WriteOptions,
): Promise<Result> {
  const { operation, caller, context, traceId, keyed } = call;
  const { clientId } = caller;
  const origin = { author: authorOf(call), clientId, operation: operation.id, traceId };
  return context.store.write(
    cid,
    async (transaction) => {
      if (keyed !== null) await transaction.take(keyed);
      return writeWith(origin, transaction, work);
    },
    options,
  );
}

/** Like `write`, for work that may change tens of thousands of records. */
export function writeLarge<Result>(
  call: WritingCall,
  work: (writing: Writing) => Promise<Result>,
): Promise<Result> {
  return write(call, work, call.caller.cid, { large: true });
}

/** Like `write`, for a change without a caller: a command, an import, or the server itself. */
export function writeAsCommand<Result>(
  command: Command,
  work: (writing: Writing) => Promise<Result>,
  cid: string = command.cid,
): Promise<Result> {
  const origin = originOf({ actor: "cli", ...command });
  return command.store.write(cid, (transaction) => writeWith(origin, transaction, work));
}

/**
 * Like `writeAsCommand`, inside a running transaction. For changes that the server makes at a due instant.
 */
export function writeWithin<Result>(
  transaction: Transaction,
  command: Omit<Command, "store">,
  work: (writing: Writing) => Promise<Result>,
): Promise<Result> {
  return writeWith(originOf({ actor: "server", ...command }), transaction, work);
}

const originOf = ({ cid, actor, name, now }: Required<Omit<Command, "store">>): Origin => ({
  author: { cid, actor, now },
  clientId: null,
  operation: name,
  traceId: null,
});

async function writeWith<Result>(
  origin: Origin,
  transaction: Transaction,
  work: (writing: Writing) => Promise<Result>,
): Promise<Result> {
  const writing = new Writing(origin, transaction);
  const result = await work(writing);
  for (const entry of writing.entries) {
    await transaction.audit(entry);
  }
  return result;
}
