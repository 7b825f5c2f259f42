/**
 * Bundles the command with everything that it imports. Node.js spends half of a start on finding,
 * reading and compiling hundreds of files; it loads a few larger ones in a fraction of that time.
 */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { writeLicenses } from "./licenses.ts";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const dist = path("../dist");
const documents = path("../../spec/src/generated");

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: path(".."),
  input: "src/bin.ts",
  platform: "node",
  resolve: {
    conditionNames: ["@security-platform/source", "node"],
    // Its main file is UMD, which bundlers cannot read.
    alias: { "jsonc-parser": fileURLToPath(import.meta.resolve("jsonc-parser/lib/esm/main.js")) },
  },
  treeshake: {
    moduleSideEffects: [
      // The project's modules only define things, so a command loads only what it uses. The first
      // file prepares the process.
      { test: /[\\/]cli[\\/]src[\\/]bin\.ts$/, sideEffects: true },
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
  chunkFileNames: "[name]-[hash].js",
  sourcemap: true,
  comments: { legal: false },
});
chmodSync(`${dist}/bin.js`, 0o755);

const chunks = output.filter((file) => file.type === "chunk");
// `@security-platform/spec` reads these at their first use.
mkdirSync(`${dist}/generated`);
for (const name of readdirSync(documents)) {
  if (!chunks.some(({ code }) => code.includes(`("${name}")`))) continue;
  copyFileSync(`${documents}/${name}`, `${dist}/generated/${name}`);
}
writeLicenses(
  chunks.flatMap(({ moduleIds }) => moduleIds),
  `${dist}/third-party-licenses.txt`,
);
