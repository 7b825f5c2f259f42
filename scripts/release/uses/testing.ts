import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../../../docs/scripts/samples/blocks.ts";
import { compilers, npm, run, stranger, type Place, type Stranger } from "../commands.ts";
import { Skipped, type Report } from "../report.ts";

const program = join(import.meta.dirname, "../programs/double.ts");
const guide = join(import.meta.dirname, "../../../docs/guides/test-recipes.md");

interface Recipe {
  /** What is installed beside the test double. */
  readonly packages: readonly string[];
  readonly command: readonly string[];
  /** What the runner prints if all tests passed. */
  readonly printed: RegExp;
  readonly environment?: Readonly<Record<string, string>>;
  /** Files of any project of this kind, which the guide does not show. */
  readonly files?: Readonly<Record<string, string>>;
  /** Why this machine cannot run it. */
  readonly missing?: string;
}

const exec = (...words: readonly string[]): readonly string[] =>
  npm("exec", "--yes", "--", "secplat", "exec", "--", ...words);

/** What a program of this machine prints; undefined if it is missing or fails. */
function printedBy(name: string, ...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(name, words, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** Python with pytest and Go, if this machine has them: npm does not bring them. */
const python = printedBy("python3", "-c", "import sys, pytest; print(sys.executable)");
const go = printedBy("go", "env", "GOROOT");

/** How the files of each section of the guide are run. */
const recipes: Readonly<Record<string, Recipe>> = {
  Vitest: { packages: ["vitest"], command: npm("exec", "vitest", "run"), printed: /2 passed/ },
  "node:test": {
    packages: [],
    command: [process.execPath, "--test", "--test-reporter=tap", "cases.test.mts"],
    printed: /^# pass 1$/m,
  },
  Jest: {
    packages: ["jest"],
    command: npm("exec", "jest"),
    printed: /Tests: +1 passed/,
    environment: { NODE_OPTIONS: "--experimental-vm-modules" },
  },
  Playwright: {
    packages: ["@playwright/test"],
    command: npm("exec", "playwright", "test"),
    printed: /1 passed/,
  },
  pytest: {
    packages: ["secplat"],
    command: exec(python ?? "python3", "-m", "pytest"),
    printed: /2 passed/,
    ...(python === undefined && { missing: "there is no Python with pytest" }),
  },
  Go: {
    packages: ["secplat"],
    command: exec(`${go}/bin/go`, "test", "./..."),
    printed: /^ok /m,
    // Otherwise Go compiles its own library first.
    environment: { GOCACHE: printedBy("go", "env", "GOCACHE") ?? "" },
    files: { "go.mod": "module example.com/integration\n\ngo 1.21\n" },
    ...(go === undefined && { missing: "there is no Go" }),
  },
};

/** Installs the test double in empty folders, compiles a program with its types, and runs the recipes of the guide. */
export async function useTesting(place: Place, report: Report): Promise<void> {
  const who = stranger(place);
  await report("testing: installed beside the client, with few packages", async () => {
    await install(who, ["@types/node@24"]);
    const { stdout } = await run(npm("ls", "--all", "--parseable", "--omit=dev"), who);
    const installed = stdout.trim().split("\n").length - 1;
    if (installed > 8) throw new Error(`${installed} packages:\n${stdout}`);
    return `${installed} packages`;
  });
  cpSync(program, join(who.folder, "double.ts"));
  for (const [version, compiler] of Object.entries(compilers)) {
    for (const options of [
      { module: "nodenext" },
      { module: "esnext", moduleResolution: "bundler" },
    ]) {
      const { moduleResolution = "NodeNext" } = options;
      await report(`testing: compiled by ${version} with ${moduleResolution} resolution`, () =>
        compile(who, compiler, options),
      );
    }
  }
  await report("testing: the compiled program", async () => {
    const { stdout } = await run([process.execPath, "dist/double.js"], who);
    if (stdout !== "bad.example 503 200 3\n") throw new Error(`printed ${stdout}`);
  });
  const sections = readSections();
  for (const [name, recipe] of Object.entries(recipes)) {
    const files = sections.get(name);
    if (files === undefined) throw new Error(`${guide} has no recipe for ${name}`);
    await report(`testing: the recipe for ${name}`, () => tryRecipe(place, recipe, files));
  }
}

type Files = ReadonlyMap<string, string>;

/** The files of each section. */
function readSections(): ReadonlyMap<string, Files> {
  const [, ...sections] = readFileSync(guide, "utf8").split(/^## /m);
  return new Map(
    sections.map((section) => {
      const [name = ""] = section.split("\n", 1);
      const files = blocksOf(section).flatMap(({ title, text }) =>
        title === undefined ? [] : [[title, `${text}\n`] as const],
      );
      return [name, new Map(files)];
    }),
  );
}

async function tryRecipe(place: Place, recipe: Recipe, files: Files): Promise<void> {
  const { packages, command, printed, environment, files: own = {}, missing } = recipe;
  if (missing !== undefined) throw new Skipped(missing);
  const who = stranger(place);
  await install(who, packages);
  for (const [name, text] of [...files, ...Object.entries(own)]) {
    writeFileSync(join(who.folder, name), text);
  }
  const { stdout, stderr } = await run(command, {
    folder: who.folder,
    environment: { ...who.environment, ...environment },
  });
  if (!printed.test(stdout) && !printed.test(stderr)) {
    throw new Error(`printed ${stdout}${stderr}`);
  }
}

async function install(who: Stranger, packages: readonly string[]): Promise<void> {
  const manifest = { name: "integration", private: true, type: "module" };
  writeFileSync(join(who.folder, "package.json"), JSON.stringify(manifest));
  await run(npm("install", "@security-platform/testing", "@security-platform/client"), who);
  if (packages.length > 0) await run(npm("install", "--save-dev", ...packages), who);
}

/** Compiles with the strictest options, and checks the declarations as well. */
async function compile(
  { folder, environment }: Stranger,
  compiler: readonly string[],
  options: object,
): Promise<void> {
  const compilerOptions = {
    ...options,
    target: "es2022",
    lib: ["es2022", "dom"],
    types: ["node"],
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    outDir: "dist",
  };
  const config = JSON.stringify({ compilerOptions, files: ["double.ts"] });
  writeFileSync(join(folder, "tsconfig.json"), config);
  await run([...compiler, "-p", "."], { folder, environment });
}
