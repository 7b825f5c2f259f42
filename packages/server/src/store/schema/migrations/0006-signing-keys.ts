import type { Migration } from "./migration.ts";

/** Signing keys were stored in plain text. Records with encrypted keys replace them. */
export const signingKeySettings: Migration = {
  number: 6,
  name: "signing-keys",
  up: (connection) =>
    connection.run("delete from settings where name in ('cursor-secret', 'file-link-key')"),
};
