import type { Migration } from "./migration.ts";

/** Tenants, API clients, tokens, settings, audit trail, write numbers. */
export const directory: Migration = {
  number: 1,
  name: "directory",
  up: async (connection, dialect) => {
    const { text, integer } = dialect.types;
    const { plain } = dialect.tableOptions;
    await connection.run(`
      create table settings (name ${text} primary key, value ${text} not null) ${plain};

      create table tenants (
        cid ${text} primary key,
        name ${text} not null,
        parent_cid ${text} references tenants (cid),
        created_at ${text} not null
      ) ${plain};

      create table api_clients (
        client_id ${text} primary key,
        cid ${text} not null references tenants (cid),
        name ${text} not null,
        scopes ${text} not null,
        created_at ${text} not null
      ) ${plain};
      create index api_clients_cid on api_clients (cid);

      create table client_secrets (
        client_id ${text} not null references api_clients (client_id) on delete cascade,
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
        cid ${text} not null references tenants (cid),
        number ${integer} not null,
        at ${text} not null,
        actor ${text} not null,
        operation ${text} not null,
        trace_id ${text},
        comment ${text},
        ids ${text} not null,
        primary key (cid, number)
      ) ${plain};

      create table write_numbers (
        cid ${text} not null references tenants (cid),
        resource ${text} not null,
        number ${integer} not null,
        rows ${integer} not null default 0,
        swept ${integer} not null default 0,
        primary key (cid, resource)
      ) ${plain};

      create table write_times (
        cid ${text} not null references tenants (cid),
        number ${integer} not null,
        at ${text} not null,
        primary key (cid, number)
      ) ${plain};

      create table resource_layouts (resource ${text} primary key, layout ${text} not null) ${plain};

      ${dialect.fence("audit_entries")}
    `);
  },
};
