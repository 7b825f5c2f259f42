/**
 * Bundles the module for pages, the server for a worker, and the database that platforms start with.
 * `src/node` has what the server and its libraries use of Node.js: an import of anything else ends the build with the
 * name of the file and of the missing member.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { createHome, openStore, resources } from "@security-platform/server/portable";
import { document } from "@security-platform/spec";
import { rolldown, type InputOptions, type Plugin } from "rolldown";
import { unusedCompilers } from "../../../scripts/server-bundle.ts";
import { thirdPartyNotices } from "../../../scripts/third-party-notices.ts";
import { MemoryFile } from "../src/sqlite-wasm/memory-file.ts";
import { openWasm } from "../src/sqlite-wasm/open-wasm.ts";
import { wasmDriver } from "../src/sqlite-wasm/wasm-driver.ts";
import { loadWasmLibrary } from "../src/sqlite-wasm/wasm-library.ts";
import { pageDocument } from "./page-document.ts";

const path = (place: string): string => fileURLToPath(new URL(place, import.meta.url));
const cwd = path("..");
const requires = createRequire(import.meta.url);
const dist = path("../dist");
const shim = (name: string): string => path(`../src/node/${name}.ts`);

/** Pages import it themselves. */
const client = /^@security-platform\/client(?:\/|$)/;

/** Libraries load these, and a page never calls them. */
const absent = new Set(["dns", "http2", "https", "string_decoder"]);

const nodeModules: Plugin = {
  name: "node-modules",
  resolveId: (source, importer) => {
    // The package of this name starts each next tick with a timer, which browsers delay by 4 ms.
    if (source === "process/") return shim("process");
    if (!isBuiltin(source)) return null;
    const name = source.replace(/^node:/, "");
    if (absent.has(name)) return shim("absent");
    const file = shim(name.replaceAll(/[/_]/g, "-"));
    if (existsSync(file)) return file;
    throw new Error(`${importer} imports ${source}, which a page does not have; see src/node`);
  },
};

/** The platform is in a worker already, so the work of its threads is done there. */
const withoutThreads: Plugin = {
  name: "without-threads",
  load: (id) => {
    const [, name] = /[\\/]server[\\/]src[\\/].+[\\/]threaded-(\w+)\.ts$/.exec(id) ?? [];
    if (name === undefined) return null;
    const code = inline[name];
    if (code === undefined)
      throw new Error(`${id} uses a thread; say here how a page does its work`);
    return { code, moduleType: "js" };
  },
};

/** What only helps PostgreSQL and tenants of 100,000 records and more; a page does without it. */
const ofLargeTenants: Readonly<Record<string, string>> = {
  "rows/trigram-index.ts": "export const trigramIndexesOf = () => new Map();",
  "schema/trigram-indexes.ts": "export const StoredTrigramIndexes = null;",
  "reading/in-indexes.ts": `export const isInOneIndex = () => false;
    export const isSeenInIndex = isInOneIndex;
    export const conditionsInIndexes = () => null;
    export const onlyCondition = conditionsInIndexes;
    const unused = () => { throw new Error("a page chooses no index"); };
    export { unused as isFound, unused as isSeen, unused as versionsInIndex };`,
};

const withoutLargeTenants: Plugin = {
  name: "without-large-tenants",
  load: (id) => {
    const [, name = ""] = /[\\/]server[\\/]src[\\/]store[\\/](.+\.ts)$/.exec(id) ?? [];
    const code = ofLargeTenants[name.replaceAll("\\", "/")];
    return code === undefined ? null : { code, moduleType: "js" };
  },
};

/** Every request needs a token. */
const atOnce = "oauth2";

/** The handlers of a collection are loaded with its first request: they are a third of the server. */
const handlersOnDemand: Plugin = {
  name: "handlers-on-demand",
  resolveId: (source, importer) => (source.endsWith(onDemand) ? `${importer}${onDemand}` : null),
  load: async (id) => {
    const [file = "", collection] = collectionIndex.exec(id) ?? [];
    if (id.endsWith(onDemand)) {
      return { code: readFileSync(file, "utf8"), moduleType: "ts" };
    }
    if (collection === undefined || collection === atOnce) return null;
    const [[name, handlers] = []] = Object.entries((await import(file)) as object);
    return `let loading, loaded;
      const load = () => (loading ??= import("./index.ts${onDemand}").then(
        (module) => (loaded = module.${name}),
        (error) => {
          loading = undefined;
          throw error;
        },
      ));
      const handler = (id) => (call) =>
        loaded === undefined ? load().then((handlers) => handlers[id](call)) : loaded[id](call);
      export const ${name} = Object.fromEntries(
        ${JSON.stringify(Object.keys(handlers as object))}.map((id) => [id, handler(id)]),
      );`;
  },
};

const onDemand = "?on-demand";
const collectionIndex = /^.+[\\/]server[\\/]src[\\/]operations[\\/]([^\\/]+)[\\/]index\.ts/;

const inline: Readonly<Record<string, string>> = {
  texts: `import { answerText } from "./file-text.ts";
    export const answerInThread = async (request) => answerText(request);`,
  reports: `import { text } from "node:stream/consumers";
    import { workOnReport } from "./report-work.ts";
    export const workInThread = async (open, work) => workOnReport(await text(await open()), work);`,
};

/**
 * The policies of pages forbid functions that are compiled from text. The router makes some to be faster; these do the
 * same. By file: the text that is replaced, and what replaces it.
 */
const interpreted: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  "find-my-way/lib/node.js": [
    [/return new Function\('path', 'i', .*/, "return (path, i) => path.startsWith(prefix, i)"],
  ],
  "find-my-way/lib/handler-storage.js": [
    [
      /return new Function\('NullObject', .*/,
      `return (param0, param1, param2, param3, extraParams) => {
        const values = [param0, param1, param2, param3, ...(extraParams ?? [])];
        return Object.assign(new NullObject(), Object.fromEntries(params.map((name, at) => [name, values[at]])));
      }`,
    ],
    // For routes that differ by host or version, and there are none.
    [/this\._getHandlerMatchingConstraints = new Function\(.*/, ""],
  ],
  "find-my-way/lib/constrainer.js": [[/this\.deriveSyncConstraints = new Function\(.*/, ""]],
  // Fastify does not use it.
  "find-my-way/lib/compiler.js": [[/[^]*/, ""]],
};

const withoutCompiledText: Plugin = {
  name: "without-compiled-text",
  transform: (code, id) => {
    const file = Object.keys(interpreted).find((name) => id.endsWith(`node_modules/${name}`));
    if (file === undefined) return null;
    let replaced = code;
    for (const [text, replacement] of interpreted[file] ?? []) {
      if (!text.test(replaced)) throw new Error(`${file} does not contain ${text.source}`);
      replaced = replaced.replace(text, () => replacement);
    }
    return { code: replaced };
  },
  generateBundle: (_options, bundle) => {
    for (const [name, file] of Object.entries(bundle)) {
      // Calls of `eval` are reported by the bundler.
      const found = file.type === "chunk" && /.{0,60}\bFunction\(\s*["'`].{0,60}/.exec(file.code);
      if (found) throw new Error(`${name} compiles text, which pages forbid: ${found[0]}`);
    }
  },
};

/** Bundlers of pages would look for files that only the build reads: those of the specification are in the worker. */
const withoutFiles: Plugin = {
  name: "without-files",
  transform: (code, id) => {
    if (!/[\\/]packages[\\/]spec[\\/]src[\\/]index\.ts$/.test(id)) return null;
    return { code: code.replaceAll("import.meta.url", '"file:///"') };
  },
};

/**
 * The library adds file systems and a protocol for workers of its own, in functions that do nothing here: the file
 * systems are disabled (`wasm-library.ts`). They are a fifth of the library's text.
 */
const withoutUnusedParts: Plugin = {
  name: "without-unused-parts",
  transform: (code, id) => {
    if (!id.endsWith("@sqlite.org/sqlite-wasm/dist/index.mjs")) return null;
    let removed = 0;
    const kept = code.replaceAll(
      /^\t\tglobalThis\.sqlite3ApiBootstrap\.initializers\.push\(function\(sqlite3\) \{\n[^]*?^\t\t\}\);\n/gm,
      (part) => {
        if (!/config\.disable\?\.vfs|initWorker1API/.test(part.slice(0, 400))) return part;
        removed += 1;
        return "";
      },
    );
    if (removed !== 6) throw new Error(`${id}: expected 6 unused parts, found ${removed}`);
    const ownWorker = 'new URL("sqlite3-worker1.mjs", import.meta.url)';
    if (!kept.includes(ownWorker)) throw new Error(`${id} does not contain ${ownWorker}`);
    return { code: kept.replace(ownWorker, '""') };
  },
};

/** Only the platform itself starts its server and sends requests into it, and their options are right: see `in-process.ts`. */
const withoutChecksOfOptions: Plugin = {
  name: "without-checks-of-options",
  transform: (code, id) => {
    if (/[\\/]light-my-request[\\/]lib[\\/]config-validator\.js$/.test(id)) {
      return { code: "module.exports = () => true;" };
    }
    if (!/[\\/]fastify[\\/]lib[\\/]config-validator\.js$/.test(id)) return null;
    const [, defaults] = /^module\.exports\.defaultInitOptions = (\{.*\});?$/m.exec(code) ?? [];
    if (defaults === undefined) throw new Error(`${id} has no defaults`);
    return {
      code: `const defaults = ${defaults};
        module.exports = (options) => {
          for (const name of Object.keys(options)) if (!(name in defaults)) delete options[name];
          for (const name of Object.keys(defaults)) options[name] ??= defaults[name];
          return true;
        };
        module.exports.defaultInitOptions = defaults;`,
    };
  },
};

const generated = (name: string): string =>
  readFileSync(path(`../../spec/src/generated/${name}`), "utf8");

/** What the server reads of the specification when it starts. */
const documents = ["served.json", "import-schemas.json"].map(
  (name) => [name, generated(name)] as const,
);

/** The schema of GraphQL comes with its handler. */
const graphqlOnDemand: Plugin = {
  name: "graphql-on-demand",
  transform: (code, id) => {
    if (!/[\\/]identity-protection[\\/]graph[\\/]schema\.ts$/.test(id)) return null;
    const read = /import \{ identityGraphqlSchema \} from "@security-platform\/spec";/;
    if (!read.test(code)) throw new Error(`${id} does not read the schema`);
    const text = generated("identity-graphql.json");
    return { code: code.replace(read, () => `const identityGraphqlSchema = () => ${text};`) };
  },
};

const timers = ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval"];

const sideEffects = [
  {
    test: /[\\/]browser[\\/]src[\\/](?:worker[\\/]worker|node[\\/][^\\/]+)\.ts$/,
    sideEffects: true,
  },
  { test: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/]/, sideEffects: false },
];

const shared: InputOptions = {
  cwd,
  platform: "browser",
  resolve: {
    conditionNames: ["@security-platform/source", "browser", "import", "default"],
    // Its users are in CommonJS, and call the module itself.
    alias: { "buffer-crc32": requires.resolve("buffer-crc32") },
  },
  treeshake: { moduleSideEffects: sideEffects },
  onLog: (_level, { message }) => {
    throw new Error(message);
  },
};

const output = {
  dir: dist,
  entryFileNames: "[name].js",
  chunkFileNames: "worker-[name].js",
  minify: true,
  comments: { legal: false },
} as const;

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

const library = await loadWasmLibrary();
let template: Uint8Array = new Uint8Array();
const home = await createHome(async (parts) => {
  const database = openWasm({ library });
  const close = async (): Promise<void> => {
    template = database.content();
    await database.close();
  };
  return openStore({ database: { ...database, close }, resources, ...parts });
});
writeFileSync(`${dist}/template.db.gz`, gzipSync(compact(template), { level: 9, memLevel: 6 }));

const served = JSON.stringify(pageDocument(document()));
writeFileSync(`${dist}/openapi.json.gz`, gzipSync(served, { level: 9 }));

/**
 * The database without the records that every start adds again, because the worker has them anyway, and with the small
 * pages of each table side by side: after the compression, less than two thirds are left.
 */
function compact(content: Uint8Array): Uint8Array {
  const name = "/template.db";
  library.files.set(name, new MemoryFile(content));
  const handle = wasmDriver(library).open(name);
  const tables = handle.prepare(
    "select name from sqlite_schema where type = 'table' and (name glob ? or name glob ?)",
  );
  // The platform's tenant has only zeros.
  for (const [table] of tables.tuples([
    "data_protection_*",
    "container_advisories*",
  ]) as string[][]) {
    handle.exec(`delete from "${table}" where cid = '${"0".repeat(32)}'`);
  }
  tables.close();
  handle.exec("delete from settings where name = 'platform_catalogue'");
  handle.exec("delete from sqlite_stat1");
  handle.exec("pragma page_size = 1024; vacuum");
  handle.close();
  return library.files.get(name)?.content() ?? content;
}

const forWorker = await rolldown({
  ...shared,
  input: { worker: "src/worker/worker.ts" },
  plugins: [
    nodeModules,
    withoutThreads,
    withoutLargeTenants,
    handlersOnDemand,
    withoutCompiledText,
    withoutFiles,
    withoutUnusedParts,
    withoutChecksOfOptions,
    graphqlOnDemand,
    unusedCompilers,
    thirdPartyNotices(`${dist}/THIRD-PARTY-NOTICES.txt`) as Plugin,
  ],
  transform: {
    define: {
      global: "globalThis",
      "process.env.NODE_ENV": '"production"',
      DOCUMENTS: JSON.stringify(Object.fromEntries(documents)),
      HOME: JSON.stringify(home),
    },
    inject: {
      Buffer: [shim("buffer"), "Buffer"],
      process: [shim("process"), "process"],
      ...Object.fromEntries(timers.map((name) => [name, [shim("timers"), name]])),
    },
  },
});
await forWorker.write({
  ...output,
  // Everything that every start needs is one file. It is not the entry, which the development server of Vite loads
  // under another URL than other files import: those would get a second worker.
  codeSplitting: {
    groups: [
      { name: "start", tags: ["$initial"], test: (id) => id !== path("../src/worker/worker.ts") },
    ],
  },
});
copyFileSync(
  fileURLToPath(import.meta.resolve("@sqlite.org/sqlite-wasm/sqlite3.wasm")),
  `${dist}/sqlite3.wasm`,
);

const forPage = await rolldown({ ...shared, input: { index: "src/index.ts" }, external: [client] });
await forPage.write({ ...output, minify: false });
// For pages without a bundler.
const standalone = await rolldown({ ...shared, input: { standalone: "src/index.ts" } });
await standalone.write({ ...output, chunkFileNames: "standalone-[name].js" });
