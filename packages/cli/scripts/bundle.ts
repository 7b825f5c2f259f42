/**
 * Bundles the command with everything that it imports. Node.js spends half of the start time on
 * finding, reading and compiling hundreds of files; a few larger files take a fraction of that.
 */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown, type Plugin } from "rolldown";
import { thirdPartyNotices } from "../../../scripts/third-party-notices.ts";
import { sourceHashes } from "../../../testing/secplat.ts";

const path = (place: string): string => fileURLToPath(new URL(place, import.meta.url));
const dist = path("../dist");
const documents = path("../../spec/src/generated");

/** Modules that the server starts as threads, by their names. */
const sources = path("../../server/src");
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

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: path(".."),
  input: { bin: "src/bin.ts", ...threads },
  platform: "node",
  plugins: [lazyBuiltins, thirdPartyNotices(`${dist}/THIRD-PARTY-NOTICES.txt`) as Plugin],
  resolve: { conditionNames: ["@security-platform/source", "node"] },
  treeshake: {
    moduleSideEffects: [
      // The project's modules only define things, so a command loads only what it uses. The first
      // file prepares the process.
      { test: /[\\/]cli[\\/]src[\\/]bin\.ts$/, sideEffects: true },
      { test: /-thread\.ts$/, sideEffects: true },
      { test: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/]/, sideEffects: false },
    ],
  },
  onLog: (_level, { message }) => {
    throw new Error(message);
  },
});
// Files of one folder, because `src/places.ts` names files relative to itself.
const { output } = await bundle.write({
  dir: dist,
  entryFileNames: "[name].js",
  // Without a hash, so that the compile cache replaces outdated entries after a new build.
  chunkFileNames: "[name].js",
  sourcemap: true,
  comments: { legal: false },
});
chmodSync(`${dist}/bin.js`, 0o755);

const chunks = output.filter((file) => file.type === "chunk");
// `@security-platform/spec` reads these on first use.
const needed = readdirSync(documents).filter((name) =>
  chunks.some(({ code }) => code.includes(`("${name}")`)),
);
mkdirSync(`${dist}/generated`);
for (const name of needed) copyFileSync(`${documents}/${name}`, `${dist}/generated/${name}`);
// Tests run the bundle only if its sources are the same.
const root = path("../../..");
const files = [...(await bundle.watchFiles), ...needed.map((name) => `${documents}/${name}`)];
const hashed = files
  .map((file) => relative(root, file).replaceAll("\\", "/"))
  .filter((file) => file.startsWith("packages/"));
writeFileSync(`${dist}/sources.json`, JSON.stringify(sourceHashes(root, hashed)));
