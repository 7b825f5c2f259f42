import { fqlTables, type components } from "@security-platform/spec";
import type { Resource } from "../../../store/index.ts";

type Schemas = components["schemas"];
export type ExportResourceName = Schemas["ExportJobResource"];
export type ExportFormat = Schemas["ExportJobFormat"];
export type ExportRequest = Schemas["ExportJobRequest"];
type Status = Schemas["ExportJobStatus"];
type ServedExport = Schemas["ExportJob"];

/** An export as stored: the served record, the request and the file. */
export interface ExportJob extends ServedExport {
  /** Hidden. */
  readonly request: ExportRequest;
  /** Hidden: SHA-256 of the file, while there is one. */
  readonly file: string | null;
  /** Hidden: size of the file. */
  readonly bytes: number | null;
  /** Hidden: when the file is deleted. */
  readonly expires_at: string | null;
}

/** States of unfinished exports. */
export const openStatuses: readonly Status[] = [
  "READY",
  "WAITING",
  "IN_PROGRESS",
  "WAITING_FOR_RETRY",
];

const day = 24 * 60 * 60_000;
/** Retention of the file of an export, and of its record. */
const retention = { file: 7 * day, record: 90 * day };

export const exportJobs: Resource<ExportJob> = {
  name: "export_jobs",
  collection: "container",
  fields: {
    ...fqlTables["export-jobs"].fields,
    created_at: { type: "timestamp", sortable: true },
    file: { type: "string" },
    bytes: { type: "number" },
  },
  id: "id",
  hidden: ["request", "file", "bytes", "expires_at"],
  blobs: ["file"],
  blobBytes: "bytes",
  indexes: ["created_at", "status", "file"],
  expiry: { at: ({ expires_at }) => expires_at, after: withoutFile, changes: ["status"] },
  due: {
    expiry: { at: ({ expires_at }) => expires_at },
    removal: {
      at: ({ created_at }) => new Date(Date.parse(created_at) + retention.record).toISOString(),
    },
  },
};

/** When a file written at `now` expires. */
export const expiryOf = (now: Date): string =>
  new Date(now.getTime() + retention.file).toISOString();

/** The export after its file has expired. */
export function withoutFile(job: ExportJob): ExportJob {
  const { expires_at, updated_at } = job;
  const file = { file: null, bytes: null, expires_at: null };
  return { ...job, ...file, status: "RESULT_DELETED", updated_at: expires_at ?? updated_at };
}

export const exportNoun = "export job";

/** The kind of the background jobs that write the files. */
export const exportKind = "exports.write";
