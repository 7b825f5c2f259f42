import type { ColumnType, Generated } from "kysely";
import type { JobState } from "./job.ts";

/** The tables that are not derived from resource descriptors; `initial-schema.ts` creates them. */
export interface Tables {
  schema_migrations: { number: number; name: string; applied_at: string };
  settings: { name: string; value: string };
  tenants: {
    cid: string;
    name: string;
    parent_cid: string | null;
    created_at: string;
    catalogue_version: ColumnType<number, number | undefined, number>;
  };
  api_clients: {
    client_id: string;
    cid: string;
    name: string;
    scopes: string;
    created_at: string;
    user_uuid: ColumnType<string | null, string | null | undefined, string | null>;
  };
  client_secrets: {
    client_id: string;
    /** Increases with each secret of a client. */
    number: number;
    hash: string;
    created_at: string;
    expires_at: string | null;
  };
  access_tokens: {
    hash: string;
    client_id: string;
    cid: string;
    scopes: string;
    expires_at: string;
  };
  audit_entries: {
    cid: string;
    number: number;
    at: string;
    actor: string;
    client_id: ColumnType<string | null, string | null | undefined, string | null>;
    operation: string;
    trace_id: string | null;
    comment: string | null;
    ids: string;
  };
  /** One row per tenant with resource `""`, which every write locks, and one row per written resource. */
  write_numbers: {
    cid: string;
    resource: string;
    /** The number of the last write: of the tenant, or to the resource. */
    number: number;
    /** The resource's last row number. */
    rows: ColumnType<number, number | undefined, number>;
    /** Versions superseded up to this write have been deleted. */
    swept: ColumnType<number, number | undefined, number>;
    /** For a resource: a time at or before the next purge of a deleted record. */
    purge_at: Generated<string | null>;
  };
  write_times: { cid: string; number: number; at: string };
  /** How the columns of each resource's table were filled, to detect changes. */
  resource_layouts: { resource: string; layout: string };
  record_revisions: {
    resource: string;
    /** The `Upgrade.revision` that all records have. */
    revision: number;
    /** The revision to which an unfinished upgrade leads. Null: none is unfinished. */
    target: number | null;
    /** The last version that the upgrade has read. */
    cid: string;
    row: number;
    valid_from: number;
  };
  jobs: {
    id: Generated<number>;
    cid: string;
    kind: string;
    state: JobState;
    key: string | null;
    /** For a due instant of a record: resource, record and name. */
    due: string | null;
    payload: string;
    attempts: Generated<number>;
    due_at: string;
    /**
     * When the job can be claimed: at once, after a pause, or at the end of its lease. Null: the job has
     * ended.
     */
    run_at: string | null;
    lease: string | null;
    worker: string | null;
    created_at: string;
    started_at: string | null;
    finished_at: string | null;
    /** The instant at which the ended job is deleted. */
    purge_at: string | null;
    progress: string | null;
    result: string | null;
    error: string | null;
  };
  keyed_requests: {
    hash: string;
    fingerprint: string;
    attempt: string;
    started_at: string;
    expires_at: string;
    status: number | null;
    headers: string | null;
    body: string | null;
  };
  schedules: { kind: string; every_milliseconds: number; next_at: string };
}
