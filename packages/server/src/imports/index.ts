import { importSchemas } from "@security-platform/spec";
import type { Clock } from "../foundation/clock.ts";
import type { JsonObject, Store } from "../store/index.ts";
import { advisoryImporter } from "./advisories.ts";
import { alertImporter, eventImporter } from "./case-evidence.ts";
import { caseImporter } from "./cases.ts";
import { executionImporter } from "./executions.ts";
import { downloadImporter } from "./downloads.ts";
import { hostGroupImporter } from "./host-groups.ts";
import { hostImporter } from "./hosts.ts";
import { identityEntityImporter } from "./identity-entities.ts";
import { identityIncidentImporter } from "./identity-incidents.ts";
import { identityTimelineImporter } from "./identity-timeline.ts";
import type { ImportFiles } from "./import-files.ts";
import { imagePolicyImporter } from "./image-policies.ts";
import { indicatorImporter } from "./indicators.ts";
import type { FinishProgress, Importer, LineProblem, ReadLine } from "./kind.ts";
import { lineReader } from "./read-line.ts";
import { roleImporter } from "./roles.ts";
import { ruleGroupImporter } from "./rule-groups.ts";
import { sensorImporter } from "./sensors.ts";
import { tenantGroupImporter } from "./tenant-groups.ts";
import { userGroupImporter } from "./user-groups.ts";
import { writeBatch, type BatchTask, type Candidate } from "./write-batch.ts";

/** The kinds in the order of import: records refer only to records of earlier kinds. */
export const importKinds = [
  "hosts",
  "host-groups",
  "rule-groups",
  "indicators",
  "executions",
  "roles",
  "user-groups",
  "tenant-groups",
  "downloads",
  "sensors",
  "identity-entities",
  "identity-incidents",
  "identity-timeline",
  "osv",
  "alerts",
  "events",
  "cases",
  "image-policies",
] as const;
export type ImportKind = (typeof importKinds)[number];

const importers = {
  hosts: hostImporter,
  "host-groups": hostGroupImporter,
  "rule-groups": ruleGroupImporter,
  indicators: indicatorImporter,
  executions: executionImporter,
  roles: roleImporter,
  "user-groups": userGroupImporter,
  "tenant-groups": tenantGroupImporter,
  downloads: downloadImporter,
  sensors: sensorImporter,
  "identity-entities": identityEntityImporter,
  "identity-incidents": identityIncidentImporter,
  "identity-timeline": identityTimelineImporter,
  osv: advisoryImporter,
  alerts: alertImporter,
  events: eventImporter,
  cases: caseImporter,
  "image-policies": imagePolicyImporter,
  // The cast gives all kinds one type. It is safe: each importer gets only its own lines and records.
} as unknown as Readonly<Record<ImportKind, Importer<unknown, object>>>;

export interface ImportOptions {
  /** The tenant of the records. */
  readonly cid: string;
  readonly kind: ImportKind;
  /** The lines of an NDJSON file. Blank lines are skipped. */
  readonly lines: AsyncIterable<string> | Iterable<string>;
  readonly clock: Clock;
  /** The files that lines of `downloads` name. */
  readonly files?: ImportFiles;
  /** Whether records with a known id are replaced. Default: they stay unchanged. */
  readonly update?: boolean;
  /** Called after every batch with the number of lines read. */
  readonly onProgress?: (progress: { readonly lines: number }) => void;
  /** Called during the work after the last batch. */
  readonly onFinishProgress?: (progress: FinishProgress) => void;
  /** Number of lines per transaction. */
  readonly batch?: number;
}

export interface ImportOutcome {
  /** Number of lines that created a record. */
  imported: number;
  /** Number of replaced records; only with `update`. */
  updated: number;
  /** Number of lines whose record exists; with `update`, of those that change nothing. */
  unchanged: number;
  /** Number of invalid lines. */
  rejected: number;
  /** The first 10,000 problems of rejected lines. */
  readonly problems: { readonly line: number; readonly message: string }[];
}

const defaultBatch = 1_000;
/** Batch size for lines with files: small, so that little is repeated after an interrupted import. */
const fileBatch = 10;
const problemCeiling = 10_000;

/** Number of records from which an import updates the database's statistics for the planner. */
const manyRecords = 5_000;

/**
 * Imports lines in batches, one transaction each. Existing records stay unchanged, so repeating an
 * interrupted import completes it. With `update`, records that differ are replaced.
 */
export async function importRecords(store: Store, options: ImportOptions): Promise<ImportOutcome> {
  const { cid, kind, clock, update = false } = options;
  const importer = importers[kind];
  const read = lineReader(importer, importSchemas()[kind] ?? {});
  const work = importer.begin?.(cid, store.directory) ?? {};
  const outcome: ImportOutcome = {
    imported: 0,
    updated: 0,
    unchanged: 0,
    rejected: 0,
    problems: [],
  };
  const { batch: ownBatch = importer.takeFile === undefined ? defaultBatch : fileBatch } = importer;
  const size = options.batch ?? ownBatch;
  let number = 0;
  let batch: Candidate<unknown, object>[] = [];
  const flush = async () => {
    if (batch.length > 0) {
      const operation = `import ${kind}${update ? " --update" : ""}`;
      const task: BatchTask<unknown, object> = {
        importer,
        work,
        cid,
        update,
        operation,
        now: clock.now(),
      };
      const { refused, ...counts } = await writeBatch(store, task, batch);
      outcome.imported += counts.imported;
      outcome.updated += counts.updated;
      outcome.unchanged += counts.unchanged;
      for (const each of refused) reject(outcome, each.number, each.problems);
    }
    batch = [];
    options.onProgress?.({ lines: number });
  };
  for await (const text of options.lines) {
    number += 1;
    if (text.trim() === "") continue;
    const result = read(text, { cid, now: clock.now() });
    if ("problems" in result) reject(outcome, number, result.problems);
    else {
      const whole = await withFile(store, options, importer, result);
      if ("problems" in whole) reject(outcome, number, whole.problems);
      else batch.push({ number, ...result, ...whole });
    }
    if (batch.length >= size) await flush();
  }
  await flush();
  await importer.finish?.(store, clock, options.onFinishProgress);
  if (outcome.imported + outcome.updated >= manyRecords) await store.analyze();
  outcome.problems.sort((left, right) => left.line - right.line);
  return outcome;
}

async function withFile<Line, Record extends object>(
  store: Store,
  { cid, kind, clock, files, update = false }: ImportOptions,
  { resource, takeFile }: Importer<Line, Record>,
  parsed: { readonly line: Line; readonly record: Record },
): Promise<ReadLine<Record>> {
  if (takeFile === undefined) return parsed;
  if (files === undefined) throw new Error(`${kind} are imported with their files`);
  const id = String((parsed.record as JsonObject)[resource.id]);
  const records = store.records(resource, { cid });
  const stored = update ? undefined : (await records.getComplete([id], clock.now())).get(id);
  return takeFile(parsed, files, stored);
}

function reject(outcome: ImportOutcome, line: number, problems: readonly LineProblem[]): void {
  outcome.rejected += 1;
  for (const { at, message } of problems) {
    if (outcome.problems.length >= problemCeiling) return;
    outcome.problems.push({ line, message: at === "" ? message : `${at}: ${message}` });
  }
}
