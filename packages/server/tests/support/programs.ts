import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { sourceArguments } from "../../../../testing/secplat.ts";

const path = (place: string): string => fileURLToPath(new URL(place, import.meta.url));
const cache = path("../../../../node_modules/.cache/server-programs");

/** The files of this folder that tests run as separate processes. */
const programs = [
  "escalate-until-killed",
  "export-until-killed",
  "import-downloads",
  "retrieve-until-killed",
  "rotate-until-killed",
  "work-until-killed",
  "write-until-killed",
] as const;

type Program = (typeof programs)[number];

/** The arguments of Node.js that run a program with these words. */
export async function programArguments(
  name: Program,
  ...words: readonly string[]
): Promise<readonly string[]> {
  bundled ??= bundle();
  return [...sourceArguments, join(await bundled, `${name}.js`), ...words];
}

let bundled: Promise<string> | undefined;

/**
 * Writes the programs with what they import to a folder. A program of a few files starts in a third of
 * the processor time that hundreds of files take, and most programs are started several times.
 */
async function bundle(): Promise<string> {
  const build = await rolldown({
    input: {
      ...Object.fromEntries(programs.map((name) => [name, path(`${name}.ts`)])),
      ...threads(),
    },
    platform: "node",
    resolve: { conditionNames: ["@security-platform/source", "node"] },
    // The first reads files beside its modules; the main file of the second cannot be bundled.
    external: ["@security-platform/spec", "jsonc-parser"],
    treeshake: {
      moduleSideEffects: [
        { test: /[\\/]tests[\\/]support[\\/]|-thread\.ts$/, sideEffects: true },
        { test: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/]/, sideEffects: false },
      ],
    },
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await build.generate({
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
  });
  const files = output.flatMap((file) => (file.type === "chunk" ? file : []));
  const hash = createHash("sha1");
  for (const { fileName, code } of files) hash.update(`${fileName}\n${code}`);
  // The same path for the same content, so that the compile cache of Node.js knows it.
  const folder = join(cache, hash.digest("hex"));
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  removeOld();
  for (const { fileName, code } of files) writeFileSync(join(unfinished, fileName), code);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another worker may have been faster.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}

/** Removes what earlier sources left behind, unless another run may still use it. */
function removeOld(): void {
  const yesterday = Date.now() - 24 * 60 * 60_000;
  for (const folder of readdirSync(cache).map((name) => join(cache, name))) {
    const { mtimeMs = Infinity } = statSync(folder, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < yesterday) rmSync(folder, { recursive: true, force: true });
  }
}

/** Modules that the server starts as threads, by their names. */
function threads(): Readonly<Record<string, string>> {
  const sources = path("../../src");
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    files
      .filter((file) => file.endsWith("-thread.ts"))
      .map((file) => [basename(file, ".ts"), join(sources, file)]),
  );
}
