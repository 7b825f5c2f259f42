import type { Migration } from "./migration.ts";

/** The audit trail keeps the API client beside the user that it acts as; null: a command. */
export const auditClients: Migration = {
  number: 4,
  name: "audit-clients",
  up: (connection, dialect) =>
    connection.run(`alter table audit_entries add column client_id ${dialect.types.text}`),
};
