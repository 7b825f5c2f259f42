import type { Migration } from "./migration.ts";

/**
 * Stores, for each tenant and resource, when the next deleted record is removed, so that the sweep need not
 * search for it. The first sweep finds the instants of existing records.
 */
export const purgeInstants: Migration = {
  number: 5,
  name: "purge-instants",
  up: (connection, dialect) =>
    connection.run(`
      alter table write_numbers add column purge_at ${dialect.types.text};
      update write_numbers set purge_at = '' where resource <> ''`),
};
