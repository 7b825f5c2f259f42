import { resolve } from "node:path";
import { expect, test } from "vitest";
import { cycles, importsOf, sourceFiles, type Import } from "./imports.ts";

const root = resolve(import.meta.dirname, "..");

/** Allowed imports between packages. */
const packages: Readonly<Record<string, readonly string[]>> = {
  spec: [],
  fql: [],
  client: ["spec", "fql"],
  server: ["spec", "fql"],
  "contract-tests": ["spec", "fql"],
  "spec-gate": [],
  cli: ["spec", "fql", "client", "server", "contract-tests"],
};

const server = "packages/server/src/";

/** Layers of the server, from the top. A file imports its own layer's folder and the layers below. */
const layers: readonly (readonly string[])[] = [
  ["index.ts"],
  ["server.ts"],
  ["http"],
  ["operations", "resources.ts", "background.ts", "imports", "seed", "catalogue"],
  ["domain"],
  ["inventory"],
  ["records"],
  ["aggregates", "access", "reports"],
  ["handler.ts"],
  ["call.ts", "control"],
  ["answer.ts", "context.ts"],
  ["mail"],
  ["jobs"],
  ["store", "blobs", "limits", "validation", "expressions", "outgoing", "host-files"],
  ["secrets", "threads"],
  [
    "awaitable.ts",
    "departure.ts",
    "least-recently-used.ts",
    "config.ts",
    "clock.ts",
    "logger.ts",
    "errors.ts",
    "identifiers.ts",
    "pauses.ts",
  ],
  ["outage-lines.ts"],
];

/** Allowed imports within one layer. */
const beside = new Set(["seed imports", "seed catalogue"]);

const partOf = (file: string): string => file.slice(server.length).split("/", 1)[0] ?? "";
const layerOf = (file: string): number => layers.findIndex((parts) => parts.includes(partOf(file)));
const collectionOf = (file: string): string | undefined =>
  /^packages\/server\/src\/(?:domain|operations)\/([^/]+)\//.exec(file)?.[1];

function isAgainstLayers({ from, to }: Import): boolean {
  if (partOf(from) === partOf(to)) {
    const [own, other] = [collectionOf(from), collectionOf(to)];
    return own !== undefined && other !== undefined && own !== other;
  }
  if (beside.has(`${partOf(from)} ${partOf(to)}`)) return false;
  return layerOf(from) >= layerOf(to);
}

const files = Object.keys(packages).flatMap((name) => sourceFiles(root, `packages/${name}/src`));
const imports = importsOf(root, files);
const insideServer = imports.filter(
  ({ from, to }) => from.startsWith(server) && to.startsWith(server),
);
const importText = ({ from, to }: Import): string => `${from} imports ${to}`;

test("every part of the server has a layer", () => {
  const parts = new Set(files.filter((file) => file.startsWith(server)).map(partOf));
  expect([...parts].filter((part) => !layers.flat().includes(part))).toEqual([]);
});

test("the server's imports point downwards, and no collection imports another", () => {
  expect(insideServer.length).toBeGreaterThan(1_000);
  expect(insideServer.filter(isAgainstLayers).map(importText)).toEqual([]);
});

/** The rooms of the store, from the top. A file imports its own room and those below. */
const storeRooms: readonly string[] = [
  "index.ts",
  "open-store.ts",
  "store.ts",
  "schema",
  "writing",
  "reading",
  "jobs",
  "directory",
  "secrets",
  "dialects/sqlite",
  "filters",
  "words",
  "statements",
  "rows",
  "dialects/postgres",
  "dialects",
  "types",
];

test("the store's rooms import those below them", () => {
  const inside = `${server}store/`;
  const roomOf = (file: string): number => {
    const path = file.slice(inside.length);
    return storeRooms.findIndex((room) => path === room || path.startsWith(`${room}/`));
  };
  const ofStore = insideServer.filter(({ from, to }) =>
    [from, to].every((file) => file.startsWith(inside)),
  );
  expect(ofStore.length).toBeGreaterThan(200);
  expect(
    ofStore.filter((found) => roomOf(found.from) === -1 || roomOf(found.from) > roomOf(found.to)),
  ).toEqual([]);
});

test("other parts of the server import the store through its index.ts", () => {
  const around = insideServer.filter(
    ({ from, to }) => partOf(from) !== "store" && partOf(to) === "store",
  );
  expect(around.length).toBeGreaterThan(200);
  expect(around.filter(({ to }) => to !== `${server}store/index.ts`).map(importText)).toEqual([]);
});

test("the filter language's values do not know its syntax, and its syntax does not know its meaning", () => {
  const rooms = ["meaning", "language", "values"];
  const inside = "packages/fql/src/";
  const roomOf = (file: string): number =>
    rooms.indexOf(file.slice(inside.length).split("/", 1)[0] ?? "");
  const ofRooms = imports.filter(({ from, to }) =>
    [from, to].every((file) => file.startsWith(inside) && roomOf(file) !== -1),
  );
  expect(ofRooms.length).toBeGreaterThan(40);
  expect(ofRooms.filter(({ from, to }) => roomOf(from) > roomOf(to)).map(importText)).toEqual([]);
});

test("no files import each other in a circle, types included", () => {
  expect(cycles(imports)).toEqual([]);
});

test("packages import only their declared dependencies", () => {
  const wrong = imports.filter(({ from, to }) => {
    const [, name = ""] = from.split("/");
    const other = /^@security-platform\/([^/]+)/.exec(to)?.[1];
    const outside = to.startsWith("packages/") && !to.startsWith(`packages/${name}/`);
    return outside || (other !== undefined && packages[name]?.includes(other) !== true);
  });
  expect(wrong.map(importText)).toEqual([]);
});

/** It opens database files that other programs wrote, not the platform's. */
const readsForeignDatabase = `${server}domain/container/images/packages/read-database-file.ts`;

test("only http imports the HTTP framework, only the store imports SQL", () => {
  const owners: Readonly<Record<string, RegExp>> = {
    http: /^(fastify|@fastify\/.+)$/,
    store: /^(kysely|pg|node:sqlite)$/,
  };
  const wrong = imports.filter(
    ({ from, to }) =>
      from.startsWith(server) &&
      from !== readsForeignDatabase &&
      Object.entries(owners).some(([part, library]) => library.test(to) && partOf(from) !== part),
  );
  expect(wrong.map(importText)).toEqual([]);
});
