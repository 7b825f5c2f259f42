import type { Migration } from "./migration.ts";

/** Responses to requests with idempotency keys. Without a status, the response is not stored, or not yet. */
export const keyedRequests: Migration = {
  number: 8,
  name: "keyed-requests",
  up: (connection, dialect) => {
    const { text, integer } = dialect.types;
    return connection.run(`
      create table keyed_requests (
        hash ${text} primary key,
        fingerprint ${text} not null,
        attempt ${text} not null,
        started_at ${text} not null,
        expires_at ${text} not null,
        status ${integer},
        headers ${text},
        body ${text}
      ) ${dialect.tableOptions.plain};
      create index keyed_requests_expires_at on keyed_requests (expires_at)`);
  },
};
