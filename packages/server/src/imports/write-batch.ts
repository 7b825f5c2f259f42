import { isDeepStrictEqual } from "node:util";
import { ApiError } from "../foundation/errors.ts";
import { writeAsCommand, type Writing } from "../records/write.ts";
import {
  DuplicateRecordError,
  platformCid,
  type JsonObject,
  type Store,
  type Transaction,
  type WritableRecords,
} from "../store/index.ts";
import type { BatchWork, Change, Importer, LineProblem } from "./kind.ts";

/** A valid line, its number and its record. */
export interface Candidate<Line, Record> {
  readonly number: number;
  readonly line: Line;
  readonly record: Record;
}

export interface BatchTask<Line, Record extends object> {
  readonly importer: Importer<Line, Record>;
  readonly work: BatchWork<Record>;
  readonly cid: string;
  readonly update: boolean;
  /** Name of the operation on the audit trail. */
  readonly operation: string;
  readonly now: Date;
}

export interface BatchOutcome {
  readonly imported: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: readonly {
    readonly number: number;
    readonly problems: readonly LineProblem[];
  }[];
}

/**
 * Checks and stores a batch of lines in one transaction. If that fails with an `ApiError`, each line gets
 * its own transaction, so that only the invalid lines are rejected.
 */
export async function writeBatch<Line, Record extends object>(
  store: Store,
  task: BatchTask<Line, Record>,
  batch: readonly Candidate<Line, Record>[],
): Promise<BatchOutcome> {
  try {
    return await writeAtOnce(store, task, batch);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [only] = batch;
    if (only !== undefined && batch.length === 1) return refusedLine(only, error);
  }
  const outcomes: BatchOutcome[] = [];
  for (const candidate of batch) {
    outcomes.push(await writeBatch(store, task, [candidate]));
  }
  const sum = (count: "imported" | "updated" | "unchanged") =>
    outcomes.reduce((total, outcome) => total + outcome[count], 0);
  return {
    imported: sum("imported"),
    updated: sum("updated"),
    unchanged: sum("unchanged"),
    refused: outcomes.flatMap(({ refused }) => refused),
  };
}

const refusedLine = (
  { number }: { readonly number: number },
  { entries }: ApiError,
): BatchOutcome => ({
  imported: 0,
  updated: 0,
  unchanged: 0,
  refused: [{ number, problems: entries.map(({ message }) => ({ at: "", message })) }],
});

function writeAtOnce<Line, Record extends object>(
  store: Store,
  task: BatchTask<Line, Record>,
  batch: readonly Candidate<Line, Record>[],
): Promise<BatchOutcome> {
  const { importer, cid, operation, now } = task;
  const writeLines = async (writing: Writing): Promise<BatchOutcome> => {
    const { transaction } = writing;
    const refused: { number: number; problems: readonly LineProblem[] }[] = [];
    const complete = await completed(transaction, task, batch, refused);
    const plan = new Plan(task, transaction.records(importer.resource));
    await plan.load(complete.map(({ record }) => record));
    for (const candidate of complete) {
      const problem = plan.add(candidate);
      if (problem !== null) refused.push({ number: candidate.number, problems: [problem] });
    }
    const changes = await plan.store();
    if (changes.length > 0) writing.audit(changes.map(({ after }) => plan.idOf(after)));
    return {
      imported: changes.filter(({ before }) => before === undefined).length,
      updated: changes.filter(({ before }) => before !== undefined).length,
      unchanged: batch.length - changes.length - refused.length,
      refused,
    };
  };
  const command = { store, cid, name: operation, now };
  return writeAsCommand(command, writeLines, importer.shared === true ? platformCid : cid);
}

async function completed<Line, Record extends object>(
  transaction: Transaction,
  { work, now }: BatchTask<Line, Record>,
  batch: readonly Candidate<Line, Record>[],
  refused: { number: number; problems: readonly LineProblem[] }[],
): Promise<readonly Candidate<Line, Record>[]> {
  if (work.complete === undefined) return batch;
  const records = batch.map(({ record }) => record);
  const results = await work.complete(transaction, records, now);
  return batch.flatMap((candidate, index) => {
    const result = results[index];
    if (result === undefined) return [];
    if ("record" in result) return [{ ...candidate, record: result.record }];
    refused.push({ number: candidate.number, problems: result.problems });
    return [];
  });
}

/** The changes of a batch; each line is checked against stored records and earlier lines. */
class Plan<Line, Record extends object> {
  readonly #task: BatchTask<Line, Record>;
  readonly #records: WritableRecords<Record>;
  readonly #stored = new Map<string, Record>();
  /** Record ids by unique key. */
  readonly #holders = new Map<string, string>();
  readonly #changes = new Map<string, Change<Record>>();

  constructor(task: BatchTask<Line, Record>, records: WritableRecords<Record>) {
    this.#task = task;
    this.#records = records;
  }

  readonly idOf = (record: Record): string =>
    String((record as JsonObject)[this.#task.importer.resource.id]);

  async load(records: readonly Record[]): Promise<void> {
    const keys = records.flatMap((record) => this.#keyOf(record) ?? []);
    const holders = await this.#records.findDuplicates(keys);
    for (const [key, id] of holders) this.#holders.set(key, id);
    const ids = [...records.map(this.idOf), ...(this.#task.update ? holders.values() : [])];
    for (const [id, record] of await this.#records.getForUpdate([...new Set(ids)])) {
      this.#stored.set(id, record);
    }
  }

  /** Adds a line; returns the problem of one that cannot be added. */
  add({ line, record }: Candidate<Line, Record>): LineProblem | null {
    const { update, importer, now } = this.#task;
    const id = this.#targetId(line, record);
    const stored = this.#stored.get(id);
    const key = this.#keyOf(record);
    const holder = key === null ? undefined : this.#holders.get(key);
    if (stored !== undefined && this.#isForeign(stored)) {
      return { at: "id", message: `${id} is in use; choose another, or omit it` };
    }
    if (stored !== undefined && !update) return null;
    if (key !== null && holder !== undefined && holder !== id) {
      return { at: "", message: `${key} already exists as ${holder}` };
    }
    if (stored === undefined) {
      this.#put({ after: record });
      return null;
    }
    const after = importer.renew?.(stored, { line, record, now }) ?? record;
    if (!isDeepStrictEqual(after, stored)) this.#put({ before: stored, after });
    return null;
  }

  /** Stores the changes and returns them. Only `update` restores deleted records. */
  async store(): Promise<readonly Change<Record>[]> {
    const { now, update } = this.#task;
    const changes = [...this.#changes.values()];
    const replaced = changes.filter(({ before }) => before !== undefined);
    const added = changes.filter(({ before }) => before === undefined);
    if (replaced.length > 0) await this.#records.replace(afterOf(replaced), now);
    const deleted = new Set(await this.#insert(afterOf(added)));
    const back = added.filter(({ after }) => deleted.has(this.idOf(after)));
    if (update && back.length > 0) await this.#records.put(afterOf(back), now);
    return update ? changes : changes.filter((change) => !back.includes(change));
  }

  /** Inserts records; returns the ids of those that exist as soft-deleted records. */
  async #insert(records: readonly Record[]): Promise<readonly string[]> {
    if (records.length === 0) return [];
    const { now } = this.#task;
    try {
      await this.#records.insert(records, now);
      return [];
    } catch (error) {
      if (!(error instanceof DuplicateRecordError)) throw error;
      const rest = records.filter((record) => !error.keys.includes(this.idOf(record)));
      if (rest.length > 0) await this.#records.insert(rest, now);
      return error.keys;
    }
  }

  /**
   * The id of the line's record. With `update`, a line without an id updates the record with the same
   * unique key.
   */
  #targetId(line: Line, record: Record): string {
    const { update, importer } = this.#task;
    const key = this.#keyOf(record);
    const hasId = (line as JsonObject)[importer.resource.id] !== undefined;
    const holder = key === null || hasId || !update ? undefined : this.#holders.get(key);
    return holder ?? this.idOf(record);
  }

  #put(change: Change<Record>): void {
    const { after } = change;
    const id = this.idOf(after);
    const earlier = this.#changes.get(id);
    const before = earlier === undefined ? change.before : earlier.before;
    this.#changes.set(id, before === undefined ? { after } : { before, after });
    const old = change.before === undefined ? null : this.#keyOf(change.before);
    if (old !== null) this.#holders.delete(old);
    const key = this.#keyOf(after);
    if (key !== null) this.#holders.set(key, id);
    this.#stored.set(id, after);
  }

  #keyOf(record: Record): string | null {
    return this.#task.importer.resource.uniqueKey?.(record) ?? null;
  }

  /** Whether a shared record with this id belongs to another tenant. */
  #isForeign(stored: Record): boolean {
    const { importer, cid } = this.#task;
    const owner = (stored as JsonObject)["cid"];
    return importer.shared === true && owner !== undefined && owner !== cid;
  }
}

const afterOf = <Record>(changes: readonly Change<Record>[]): readonly Record[] =>
  changes.map(({ after }) => after);
