import type { Clock } from "../clock.ts";
import type { Resource, Store } from "../store/types.ts";
import { executionImporter } from "./executions.ts";
import { indicatorImporter } from "./indicators.ts";
import type { Importer } from "./kind.ts";
import { lineReader } from "./read-line.ts";

const importers = {
  indicators: indicatorImporter,
  executions: executionImporter,
} as unknown as Readonly<Record<ImportKind, Importer<unknown, Identified>>>;

export const importKinds = ["indicators", "executions"] as const;
export type ImportKind = (typeof importKinds)[number];

/** JSON Schema of one line of a kind. */
export const importSchema = (kind: ImportKind) => importers[kind].schema;

type Identified = { readonly id: string };

export interface ImportOptions {
  /** Tenant that the records become part of. */
  readonly cid: string;
  readonly kind: ImportKind;
  /** NDJSON; blank lines are passed over. */
  readonly lines: AsyncIterable<string> | Iterable<string>;
  readonly clock: Clock;
  /** Called after every batch; `lines` read so far. */
  readonly onProgress?: (progress: { readonly lines: number }) => void;
  /** Lines that are written in one transaction. */
  readonly batch?: number;
}

export interface ImportOutcome {
  /** Lines that became records. */
  imported: number;
  /** Lines whose id is there already; these were left alone. */
  unchanged: number;
  /** Lines that are no such record. */
  rejected: number;
  /** The first 10,000 things wrong with rejected lines. */
  readonly problems: { readonly line: number; readonly message: string }[];
}

interface Candidate {
  readonly line: number;
  readonly record: Identified;
}

const defaultBatch = 1_000;
const problemCeiling = 10_000;

/**
 * Imports lines in batches, each one transaction. Lines whose id the tenant has already are left
 * alone, so an import that was cut off is finished by running it again.
 */
export async function importRecords(store: Store, options: ImportOptions): Promise<ImportOutcome> {
  const importer = importers[options.kind];
  const read = lineReader(importer);
  const outcome: ImportOutcome = { imported: 0, unchanged: 0, rejected: 0, problems: [] };
  let line = 0;
  let batch: Candidate[] = [];
  const flush = async () => {
    await writeBatch(store, options, importer.resource, batch, outcome);
    batch = [];
    options.onProgress?.({ lines: line });
  };
  for await (const text of options.lines) {
    line += 1;
    if (text.trim() === "") continue;
    const made = read(text, options.clock.now());
    if ("problems" in made) reject(outcome, line, made.problems);
    else batch.push({ line, record: made.record });
    if (batch.length >= (options.batch ?? defaultBatch)) await flush();
  }
  await flush();
  outcome.problems.sort((left, right) => left.line - right.line);
  return outcome;
}

async function writeBatch(
  store: Store,
  { cid, kind, clock }: ImportOptions,
  resource: Resource<Identified>,
  batch: readonly Candidate[],
  outcome: ImportOutcome,
): Promise<void> {
  if (batch.length === 0) return;
  const now = clock.now();
  const judged = await store.write(cid, async (transaction) => {
    const records = transaction.records(resource);
    const known = new Set((await records.take(batch.map(({ record }) => record.id))).keys());
    const keys = new Map(
      await records.findDuplicates(
        batch.flatMap(({ record }) => resource.uniqueKey?.(record) ?? []),
      ),
    );
    const fresh: Identified[] = [];
    const taken: { readonly line: number; readonly message: string }[] = [];
    for (const { line, record } of batch) {
      if (known.has(record.id)) continue;
      const key = resource.uniqueKey?.(record) ?? null;
      const holder = key === null ? undefined : keys.get(key);
      if (key !== null && holder !== undefined) {
        taken.push({ line, message: `${key} exists already as ${holder}` });
        continue;
      }
      known.add(record.id);
      if (key !== null) keys.set(key, record.id);
      fresh.push(record);
    }
    if (fresh.length > 0) {
      await records.insert(fresh, now);
      await transaction.audit({
        at: now,
        actor: "cli",
        operation: `import ${kind}`,
        trace_id: null,
        comment: null,
        ids: fresh.map(({ id }) => id),
      });
    }
    return { imported: fresh.length, taken };
  });
  outcome.imported += judged.imported;
  outcome.unchanged += batch.length - judged.imported - judged.taken.length;
  for (const { line, message } of judged.taken) reject(outcome, line, [{ at: "", message }]);
}

function reject(
  outcome: ImportOutcome,
  line: number,
  problems: readonly { readonly at: string; readonly message: string }[],
): void {
  outcome.rejected += 1;
  for (const { at, message } of problems) {
    if (outcome.problems.length >= problemCeiling) return;
    outcome.problems.push({ line, message: at === "" ? message : `${at}: ${message}` });
  }
}
