import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { fillOnce } from "../../../../testing/fill-once.ts";
import { sourceArguments, sourceHashes } from "../../../../testing/secplat.ts";

const path = (place: string): string => fileURLToPath(new URL(place, import.meta.url));
const root = path("../../../..");
const sources = path("../../src");
const cache = join(root, "node_modules/.cache/server-programs");

/** The files of this folder that tests run as separate processes. */
const programs = [
  "assess-until-killed",
  "escalate-until-killed",
  "export-until-killed",
  "import-downloads",
  "retrieve-until-killed",
  "rotate-until-killed",
  "upgrade-until-killed",
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
 * Writes the programs with what they import to a folder, unless an earlier run has done it. A program of
 * a few files starts in a third of the processor time that hundreds of files take, and most programs
 * are started several times.
 */
const bundle = (): Promise<string> =>
  fillOnce(join(cache, hashOfSources()), async (unfinished) => {
    removeOld();
    await writeBundle(unfinished);
  });

async function writeBundle(folder: string): Promise<void> {
  // Loaded only here, because it takes as long as bundling.
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input: Object.fromEntries(
      [...programs.map((name) => path(`${name}.ts`)), ...threads()].map((file) => [
        basename(file, ".ts"),
        file,
      ]),
    ),
    platform: "node",
    resolve: { conditionNames: ["@security-platform/source", "node"] },
    // It reads files beside its modules.
    external: ["@security-platform/spec"],
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
  await build.write({ dir: folder, entryFileNames: "[name].js", chunkFileNames: "[name].js" });
}

/** A hash of all files that the programs may consist of. */
function hashOfSources(): string {
  const folders = [path("."), sources, path("../../../fql/src")];
  const files = [join(root, "package-lock.json"), ...folders.flatMap(filesIn)];
  const hashes = sourceHashes(
    root,
    files.map((file) => relative(root, file)),
  );
  return createHash("sha1").update(JSON.stringify(hashes)).digest("hex");
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();

/** Modules that the server starts as threads. */
const threads = (): readonly string[] =>
  filesIn(sources).filter((file) => file.endsWith("-thread.ts"));

/** Removes what earlier sources left behind, unless another run may still use it. */
function removeOld(): void {
  const yesterday = Date.now() - 24 * 60 * 60_000;
  for (const folder of readdirSync(cache).map((name) => join(cache, name))) {
    const { mtimeMs = Infinity } = statSync(folder, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < yesterday) rmSync(folder, { recursive: true, force: true });
  }
}
