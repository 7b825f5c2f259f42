import { resolve } from "node:path";
import { expect, test } from "vitest";
import { layers, packages, server, storeRooms } from "./layers.ts";
import { cycles, importsOf, loadedWith, sourceFiles, type Import } from "./imports.ts";

const root = resolve(import.meta.dirname, "..");

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

test("the store's rooms import those below them", () => {
  const inside = `${server}store/`;
  const isIn = (file: string, room: string): boolean =>
    file === inside + room || file.startsWith(`${inside}${room}/`);
  const roomOf = (file: string): string | undefined =>
    storeRooms.flat().find((room) => isIn(file, room));
  const heightOf = (file: string): number =>
    storeRooms.findIndex((rooms) => rooms.includes(roomOf(file) ?? ""));
  const ofStore = insideServer.filter(({ from, to }) =>
    [from, to].every((file) => file.startsWith(inside)),
  );
  expect(ofStore.length).toBeGreaterThan(200);
  expect(ofStore.filter(({ from }) => roomOf(from) === undefined).map(importText)).toEqual([]);
  expect(
    ofStore
      .filter(({ from, to }) => roomOf(from) !== roomOf(to) && heightOf(from) >= heightOf(to))
      .map(importText),
  ).toEqual([]);
});

test("other parts of the server import the store through its index.ts", () => {
  const around = insideServer.filter(
    ({ from, to }) => partOf(from) !== "store" && partOf(to) === "store",
  );
  expect(around.length).toBeGreaterThan(200);
  const wrong = around.filter(
    ({ from, to }) =>
      to !== `${server}store/index.ts` &&
      !(opensDatabases.has(partOf(from)) && to === `${server}store/open-database.ts`),
  );
  expect(wrong.map(importText)).toEqual([]);
});

/** The parts that open databases of Node.js. */
const opensDatabases = new Set(["internal.ts", "host"]);

/** How `start` reaches modules that match. */
const waysTo = (start: string, modules: RegExp): readonly string[] =>
  [...loadedWith(imports, start)]
    .filter(([module]) => modules.test(module))
    .map(([, way]) => way.join(" > "));

test("the store loads no engine before its database is opened", () => {
  const engines = /^(pg|node:sqlite)$|\/dialects\/(postgres|sqlite-node)\//;
  expect(waysTo(`${server}store/index.ts`, engines)).toEqual([]);
  expect(waysTo(`${server}store/dialects/postgres/postgres.ts`, engines)).toContain(
    `${server}store/dialects/postgres/postgres.ts > pg`,
  );
});

/** Modules of Node.js that only compute or describe the machine. */
const computing =
  /^node:(async_hooks|buffer|crypto|events|os|path|stream|timers|url|util|v8|zlib)(\/.*)?$/;
/** Two files compute with addresses, and one extends the response, which opens no socket. */
const computingFiles = new Set([
  `${server}domain/ioc/addresses.ts > node:net`,
  `${server}domain/ioc/values.ts > node:net`,
  `${server}http/in-process-exchange.ts > node:http`,
]);

test("a platform without a host loads no network, files, threads or engines", () => {
  const outside = /^(node:.+|pg|nodemailer|aws4fetch)$|\/src\/(host|http\/connections)\//;
  const ways = (start: string): readonly string[] =>
    waysTo(start, outside).filter((way) => {
      const [module = "", from = ""] = way.split(" > ").toReversed();
      return !computing.test(module) && !computingFiles.has(`${from} > ${module}`);
    });
  expect(ways(`${server}platform/platform.ts`)).toEqual([]);
  expect(ways(`${server}portable.ts`)).toEqual([]);
  expect(ways(`${server}host/start-server.ts`).length).toBeGreaterThan(10);
});

/** Rooms of a package, the highest first: a room imports only those after it. */
const roomsOf: Readonly<Record<string, readonly string[]>> = {
  client: ["operations", "credentials", "sending", "wire"],
  fql: ["meaning", "language", "values"],
};

test.each(Object.entries(roomsOf))("the rooms of %s import only lower rooms", (name, rooms) => {
  const inside = `packages/${name}/src/`;
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
    store: /^(pg|node:sqlite)$/,
  };
  const wrong = imports.filter(
    ({ from, to }) =>
      from.startsWith(server) &&
      from !== readsForeignDatabase &&
      Object.entries(owners).some(([part, library]) => library.test(to) && partOf(from) !== part),
  );
  expect(wrong.map(importText)).toEqual([]);
});
