/**
 * Bundles a package with the server and everything else that it imports. Node.js spends half of the start time on
 * finding, reading and compiling hundreds of files; a few larger files take a fraction of that.
 */
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown, type OutputChunk, type Plugin } from "rolldown";
import { thirdPartyNotices } from "./third-party-notices.ts";

const path = (place: string): string => fileURLToPath(new URL(place, import.meta.url));
const documents = path("../packages/spec/src/generated");

/** Modules that the server starts as threads, by their names. */
const sources = path("../packages/server/src");
const threads = Object.fromEntries(
  readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("-thread.ts"))
    .map((file) => [basename(file, ".ts"), join(sources, file)]),
);

/**
 * An ES module that imports a built-in module makes Node.js read all its members, and these load more:
 * `node:http` the library of `fetch`. CommonJS reads only the members in use.
 */
const lazyBuiltins: Plugin = {
  name: "lazy-builtins",
  resolveId: (source) => {
    const [, name] = /^(?:node:)?(http|https|dns|fs)$/.exec(source) ?? [];
    return name === undefined ? null : `\0node:${name}`;
  },
  load: (id) => {
    if (!id.startsWith("\0node:")) return null;
    return `module.exports = process.getBuiltinModule("${id.slice(1)}");`;
  },
};

/** Fastify compiles schemas with these; the server's routes have none, so they would be dead code. */
export const unusedCompilers: Plugin = {
  name: "unused-compilers",
  resolveId: (source) =>
    /^@fastify\/(?:ajv-compiler|fast-json-stringify-compiler)$/.test(source)
      ? `\0unused:${source}`
      : null,
  load: (id) => (id.startsWith("\0unused:") ? "module.exports = undefined;" : null),
};

export interface BundledPackage {
  /** Its folder; the files are written to its `dist`. */
  readonly folder: string;
  /** Modules that start something or are imported by users, by the names of their files. */
  readonly entries: Readonly<Record<string, string>>;
  /** Entries that do something when they are loaded. Default: none. */
  readonly programs?: RegExp;
  /** Packages that users install beside it. */
  readonly external?: readonly RegExp[];
}

export interface ServerBundle {
  readonly chunks: readonly OutputChunk[];
  /** All files that were read. */
  readonly files: readonly string[];
}

/** Writes the bundle, the documents that it reads, and the notices of bundled packages. */
export async function bundleWithServer({
  folder,
  entries,
  programs,
  external = [],
}: BundledPackage): Promise<ServerBundle> {
  const dist = join(folder, "dist");
  const bundle = await rolldown({
    cwd: folder,
    input: { ...entries, ...threads },
    platform: "node",
    external: [...external],
    plugins: [
      lazyBuiltins,
      unusedCompilers,
      thirdPartyNotices(`${dist}/THIRD-PARTY-NOTICES.txt`) as Plugin,
    ],
    resolve: { conditionNames: ["@security-platform/source", "node"] },
    treeshake: {
      moduleSideEffects: [
        // The project's modules only define things, so a program loads only what it uses.
        ...(programs === undefined ? [] : [{ test: programs, sideEffects: true }]),
        { test: /-thread\.ts$/, sideEffects: true },
        { test: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/]/, sideEffects: false },
      ],
    },
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  // Files of one folder, because modules name files relative to themselves.
  const { output } = await bundle.write({
    dir: dist,
    entryFileNames: "[name].js",
    // Without a hash, so that the compile cache replaces outdated entries after a new build.
    chunkFileNames: "[name].js",
    comments: { legal: false },
  });
  const chunks = output.filter((file) => file.type === "chunk");
  // `@security-platform/spec` reads these on first use.
  const needed = readdirSync(documents).filter((name) =>
    chunks.some(({ code }) => code.includes(`("${name}")`)),
  );
  mkdirSync(`${dist}/generated`);
  for (const name of needed) copyFileSync(`${documents}/${name}`, `${dist}/generated/${name}`);
  return {
    chunks,
    files: [...(await bundle.watchFiles), ...needed.map((name) => `${documents}/${name}`)],
  };
}
