import type { Migration } from "./migration.ts";

/** The form of the records in each table, and how far an upgrade of them has come: see `Resource.upgrade`. */
export const recordRevisions: Migration = {
  number: 7,
  name: "record-revisions",
  up: (connection, dialect) => {
    const { text, integer } = dialect.types;
    return connection.run(`
      create table record_revisions (
        resource ${text} primary key,
        revision ${integer} not null,
        target ${integer},
        cid ${text} not null,
        row ${integer} not null,
        valid_from ${integer} not null
      ) ${dialect.tableOptions.plain}`);
  },
};
