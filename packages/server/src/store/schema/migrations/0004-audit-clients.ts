import type { Migration } from "./migration.ts";

/** The audit trail stores the API client in addition to the user that it acts as. Null: a command. */
export const auditClients: Migration = {
  number: 4,
  name: "audit-clients",
  up: (connection, dialect) =>
    connection.run(`alter table audit_entries add column client_id ${dialect.types.text}`),
};
