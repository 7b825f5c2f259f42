import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { cruiseSources, root } from "./architecture/cruise.ts";
import { drawRooms, pictures } from "./architecture/draw.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

type Cruised = Awaited<ReturnType<typeof cruiseSources>>;
let imports: Cruised;
beforeAll(async () => {
  imports = await cruiseSources();
});

const broken = ({ summary }: Cruised): readonly string[] =>
  summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} imports ${to}`);

test("the imports of all packages keep the rules", () => {
  expect(imports.summary.totalDependenciesCruised).toBeGreaterThan(6_000);
  expect(broken(imports)).toEqual([]);
});

const store = "packages/server/src/store";

/** Wrong imports, and what the rules say of them. */
const planted = {
  "packages/fql/src/values/up.ts": [
    "../meaning/up.ts",
    "packages/fql/src/values imports only lower rooms",
  ],
  [`${store}/dialects/up.ts`]: ["./sqlite/up.ts", `${store}/dialects imports only lower rooms`],
  "packages/server/src/domain/ioc/x/a.ts": [
    "../y/b.ts",
    "no folders import each other in a circle",
  ],
  "packages/server/src/domain/ioc/y/c.ts": [
    "../x/d.ts",
    "no folders import each other in a circle",
  ],
  "packages/server/src/domain/ioc/x/e.ts": [
    "../../container/f.ts",
    "no collection imports another",
  ],
  "packages/cli/src/new/a.ts": [
    "../terminal/b.ts",
    "packages/cli/src: every importing file has a layer",
  ],
  "packages/fql/src/index.ts": ["../../spec/src/b.ts", "fql imports only its declared packages"],
} as const;

test("the rules notice wrong imports", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "secplat-imports-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, [target]] of Object.entries(planted)) {
    write(path, `import "${target}";\n`);
    write(join(dirname(path), target), "export {};\n");
  }
  const found = broken(await cruiseSources(folder));
  for (const [path, [, rule]] of Object.entries(planted)) {
    const from = rule.startsWith("no folders") ? dirname(path) : path;
    expect(found.join("\n")).toContain(`${rule}: ${from} imports `);
  }
});

/** How `start` loads modules that match: without types, and without what is imported while code runs. */
function waysTo(start: string, wanted: RegExp): readonly string[] {
  const targets = new Map(
    imports.modules.map(({ source, dependencies }) => [source, dependencies]),
  );
  if (!targets.has(start)) throw new Error(`there is no module ${start}`);
  const ways = new Map<string, readonly string[]>([[start, [start]]]);
  // The iteration also visits entries that are added meanwhile.
  for (const [file, way] of ways) {
    for (const { resolved, module, dynamic, dependencyTypes } of targets.get(file) ?? []) {
      if (dynamic || dependencyTypes.includes("type-only")) continue;
      const name = resolved.startsWith("packages/") ? resolved : module;
      if (!ways.has(name)) ways.set(name, [...way, name]);
    }
  }
  return [...ways].filter(([module]) => wanted.test(module)).map(([, way]) => way.join(" > "));
}

const server = "packages/server/src/";

test("the store loads no engine before its database is opened", () => {
  const engines = /^(pg|node:sqlite)$|\/dialects\/(postgres|sqlite-node)\//;
  expect(waysTo(`${store}/index.ts`, engines)).toEqual([]);
  expect(waysTo(`${store}/dialects/postgres/postgres.ts`, engines)).toContain(
    `${store}/dialects/postgres/postgres.ts > pg`,
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
      const isDocument = from === "packages/spec/src/index.ts";
      return !computing.test(module) && !isDocument && !computingFiles.has(`${from} > ${module}`);
    });
  expect(ways(`${server}platform/platform.ts`)).toEqual([]);
  expect(ways(`${server}portable.ts`)).toEqual([]);
  expect(ways(`${server}host/start-server.ts`).length).toBeGreaterThan(5);
});

test.each(Object.entries(pictures))(
  "%s shows the imports; otherwise run npm run draw",
  (path, folder) => {
    expect(read(path)).toBe(drawRooms(imports, folder));
  },
);

test("the files that the page on the architecture names exist", () => {
  const paths = [...read("docs/architecture/README.md").matchAll(/`([\w/.-]+\.ts)`/g)].map(
    ([, path = ""]) => (/^(packages|scripts)\//.test(path) ? path : `packages/server/src/${path}`),
  );
  expect(paths.length).toBeGreaterThan(25);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
