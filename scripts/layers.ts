/** Allowed imports between packages. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  spec: ["fql"],
  fql: [],
  client: ["spec", "fql"],
  server: ["spec", "fql"],
  "contract-tests": ["spec", "fql"],
  "spec-gate": [],
  testing: ["spec", "client", "server"],
  browser: ["client", "server", "testing"],
  cli: ["spec", "fql", "client", "server", "contract-tests"],
};

export const server = "packages/server/src/";

/** Layers of the server, from the top. A file imports its own layer's folder and the layers below. */
export const layers: readonly (readonly string[])[] = [
  ["index.ts", "internal.ts"],
  ["host"],
  ["portable.ts"],
  ["control"],
  ["platform"],
  ["http"],
  ["operations", "imports", "seed", "catalogue"],
  ["domain"],
  ["inventory"],
  ["records"],
  ["aggregates", "access", "reports"],
  ["calls"],
  ["mail"],
  ["jobs", "storage"],
  ["store", "blobs", "limits", "validation", "expressions", "outgoing", "host-files"],
  ["secrets", "threads"],
  ["foundation"],
];

/** The rooms of the store, from the top. A file imports its own room and those below. */
export const storeRooms: readonly (readonly string[])[] = [
  ["index.ts"],
  ["open-database.ts"],
  ["open-store.ts"],
  ["store.ts"],
  ["schema"],
  ["writing", "dialects/sqlite-node"],
  ["reading", "jobs", "directory", "requests", "dialects/sqlite"],
  ["filters", "secrets"],
  ["words"],
  ["statements"],
  ["rows", "dialects/postgres"],
  ["dialects"],
  ["types"],
];
