import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

const modules = join(import.meta.dirname, "node_modules");

/** Versions of Node.js that npm packages bring, by the folder of the program. */
export const nodeVersions = (): readonly { readonly name: string; readonly folder: string }[] =>
  readdirSync(modules)
    .filter((name) => /^node-\d+$/.test(name))
    .toSorted()
    .map((name) => ({
      name: name.replace("node-", "Node.js "),
      folder: join(modules, name, "bin"),
    }));

/** npm itself, as this program was started with it. */
const npmProgram = process.env["npm_execpath"] ?? "";
if (npmProgram === "") throw new Error("start this program with npm run release:check");

/** A place where a stranger works: an empty folder, the registry, and nothing of the project. */
export interface Stranger {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

export interface Place {
  /** Where folders are created. */
  readonly root: string;
  readonly registry: string;
}

/** An empty folder and an environment with only the registry, a home of its own, and one Node.js. */
export function stranger({ root, registry }: Place, node = dirname(process.execPath)): Stranger {
  const folder = mkdtempSync(join(root, "stranger-"));
  const home = join(root, "home");
  const programs = join(home, "programs");
  mkdirSync(programs, { recursive: true });
  for (const name of ["npm", "npx"]) {
    const program = join(dirname(npmProgram), `${name}-cli.js`);
    writeFileSync(join(programs, name), `#!/bin/sh\nexec node "${program}" "$@"\n`, {
      mode: 0o755,
    });
  }
  const path = [node, programs, "/usr/local/bin", "/usr/bin", "/bin"];
  return {
    folder,
    environment: {
      PATH: path.join(delimiter),
      HOME: home,
      NO_COLOR: "1",
      npm_config_registry: registry,
      npm_config_cache: join(home, "npm"),
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
      YARN_REGISTRY: registry,
      YARN_CACHE_FOLDER: join(home, "yarn"),
      BUN_CONFIG_REGISTRY: registry,
      BUN_INSTALL_CACHE_DIR: join(home, "bun"),
      REDOCLY_TELEMETRY: "off",
    },
  };
}

export const npm = (...words: readonly string[]): readonly string[] => [
  process.execPath,
  npmProgram,
  ...words,
];

/** A tool of this folder's `node_modules`, run by the Node.js of this process. */
export const tool = (program: string, ...words: readonly string[]): readonly string[] => [
  process.execPath,
  join(modules, program),
  ...words,
];

/** The compilers of TypeScript that programs may use: that of this folder, and that of the project. */
export const compilers: Readonly<Record<string, readonly string[]>> = {
  "TypeScript 5.9": tool("typescript/bin/tsc"),
  "TypeScript 7": [
    process.execPath,
    join(import.meta.dirname, "../../node_modules/typescript/bin/tsc"),
  ],
};

export const bun = (...words: readonly string[]): readonly string[] => [
  join(modules, "@oven/bun-linux-x64/bin/bun"),
  ...words,
];

export const deno = (...words: readonly string[]): readonly string[] => [
  join(modules, "@deno/linux-x64-glibc/deno"),
  ...words,
];

export const workerd = (...words: readonly string[]): readonly string[] => [
  join(modules, "@cloudflare/workerd-linux-64/bin/workerd"),
  ...words,
];

export function start(
  [program = "", ...words]: readonly string[],
  { folder, environment }: Stranger,
): ChildProcess {
  return spawn(program, words, {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command. Throws with its output if it ends with another exit code than expected. */
export async function run(
  command: readonly string[],
  who: Stranger,
  expected: number | null | "any" = 0,
): Promise<Finished> {
  const child = start(command, who);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const minutes = setTimeout(() => child.kill("SIGKILL"), 600_000);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  clearTimeout(minutes);
  if (expected !== "any" && code !== expected) {
    throw new Error(
      `${command.join(" ")} ended with ${code ?? "a signal"}, expected ${expected}\n${stdout()}${stderr()}`,
    );
  }
  return { code, stdout: stdout(), stderr: stderr() };
}

/** The text of a stream so far. */
export function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = "";
  stream?.on("data", (part: Buffer) => (text += part.toString()));
  return () => text;
}

/** The first line that a process prints. Rejects with its errors if it ends before. */
export function firstLine(child: ChildProcess): Promise<string> {
  const printed = collect(child.stdout);
  const errors = collect(child.stderr);
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", () => {
      const [line, ...rest] = printed().split("\n");
      if (line !== undefined && rest.length > 0) resolve(line);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      reject(new Error(`${child.spawnargs.join(" ")} ended with ${code}: ${errors()}`));
    });
  });
}
