import type { Connection } from "../dialects/dialect.ts";
import { platformCid } from "../types/types.ts";

/** Creates all tables that are not derived from resources. */
export async function createInitialSchema(connection: Connection): Promise<void> {
  const { dialect } = connection;
  const { text, integer } = dialect.types;
  const { plain } = dialect.tableOptions;
  // The audit trail and the write numbers have no foreign key to the tenants, because the platform is not a tenant.
  await connection.run(`
    create table settings (name ${text} primary key, value ${text} not null) ${plain};

    create table tenants (
      cid ${text} primary key,
      name ${text} not null,
      parent_cid ${text} references tenants (cid),
      created_at ${text} not null,
      catalogue_version ${integer} not null default 0
    ) ${plain};
    create index tenants_parent_cid on tenants (parent_cid);

    create table api_clients (
      client_id ${text} primary key,
      cid ${text} not null references tenants (cid),
      name ${text} not null,
      scopes ${text} not null,
      created_at ${text} not null,
      user_uuid ${text}
    ) ${plain};
    create index api_clients_cid on api_clients (cid);

    create table client_secrets (
      client_id ${text} not null references api_clients (client_id) on delete cascade,
      -- Increases with each secret of a client.
      number ${integer} not null,
      hash ${text} not null,
      created_at ${text} not null,
      expires_at ${text},
      primary key (client_id, number)
    ) ${plain};

    create table access_tokens (
      hash ${text} primary key,
      client_id ${text} not null references api_clients (client_id) on delete cascade,
      cid ${text} not null references tenants (cid),
      scopes ${text} not null,
      expires_at ${text} not null
    ) ${plain};
    create index access_tokens_client_id on access_tokens (client_id);
    create index access_tokens_expires_at on access_tokens (expires_at);

    create table audit_entries (
      cid ${text} not null,
      number ${integer} not null,
      at ${text} not null,
      actor ${text} not null,
      client_id ${text},
      operation ${text} not null,
      trace_id ${text},
      comment ${text},
      ids ${text} not null,
      primary key (cid, number)
    ) ${plain};
    ${dialect.fence("audit_entries")}
    ${dialect.admitPlatform("audit_entries")}

    -- One row per tenant with resource '', which every write locks, and one row per written resource.
    create table write_numbers (
      cid ${text} not null,
      resource ${text} not null,
      -- The last write: of the tenant, or to the resource.
      number ${integer} not null,
      -- The resource's last row number.
      rows ${integer} not null default 0,
      -- Versions superseded up to this write have been deleted.
      swept ${integer} not null default 0,
      -- For a resource: a time at or before the next purge of a deleted record.
      purge_at ${text},
      primary key (cid, resource)
    ) ${plain};
    insert into write_numbers (cid, resource, number) values ('${platformCid}', '', 0);

    create table write_times (
      cid ${text} not null,
      number ${integer} not null,
      at ${text} not null,
      primary key (cid, number)
    ) ${plain};

    -- How the columns of each resource's table were filled, to detect changes.
    create table resource_layouts (resource ${text} primary key, layout ${text} not null) ${plain};

    create table record_revisions (
      resource ${text} primary key,
      -- The revision that all records have.
      revision ${integer} not null,
      -- The revision to which an unfinished upgrade leads.
      target ${integer},
      -- The last version that the upgrade has read.
      cid ${text} not null,
      row ${integer} not null,
      valid_from ${integer} not null
    ) ${plain};

    create table jobs (
      id ${dialect.identity},
      cid ${text} not null,
      kind ${text} not null,
      state ${text} not null,
      key ${text},
      -- For a due instant of a record: resource, record and name.
      due ${text},
      payload ${text} not null,
      attempts ${integer} not null default 0,
      due_at ${text} not null,
      -- When the job can be claimed: at once, after a pause, or at the end of its lease. Null: it has ended.
      run_at ${text},
      lease ${text},
      worker ${text},
      created_at ${text} not null,
      started_at ${text},
      finished_at ${text},
      purge_at ${text},
      progress ${text},
      result ${text},
      error ${text}
    ) ${plain};
    create index jobs_due_at on jobs (due_at, id) where run_at is not null;
    create index jobs_run_at on jobs (run_at) where run_at is not null;
    create index jobs_key on jobs (cid, key) where run_at is not null;
    create unique index jobs_running on jobs (cid, key) where state = 'running';
    create index jobs_due on jobs (cid, due) where due is not null;
    create index jobs_purge_at on jobs (purge_at) where purge_at is not null;

    create table schedules (
      kind ${text} primary key,
      every_milliseconds ${integer} not null,
      next_at ${text} not null
    ) ${plain};

    create table keyed_requests (
      hash ${text} primary key,
      fingerprint ${text} not null,
      attempt ${text} not null,
      started_at ${text} not null,
      expires_at ${text} not null,
      status ${integer},
      headers ${text},
      body ${text}
    ) ${plain};
    create index keyed_requests_expires_at on keyed_requests (expires_at)`);
}
