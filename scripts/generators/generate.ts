import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { documentFile, type DocumentName } from "./documents.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const modules = join(import.meta.dirname, "node_modules");

/** Generated code; not committed. */
export const folder = join(import.meta.dirname, "generated");

/** The program of each generator, and its arguments for a document and a folder. */
const generators = {
  "openapi-typescript": {
    program: "openapi-typescript/bin/cli.js",
    words: (document: string, output: string) => [document, "--output", join(output, "index.ts")],
  },
  "hey-api": {
    program: "@hey-api/openapi-ts/bin/run.js",
    words: (document: string, output: string) => [
      ...options({ input: document, output, client: "@hey-api/client-fetch" }),
      "--silent",
      "--no-log-file",
    ],
  },
  orval: {
    program: "orval/dist/bin/orval.mjs",
    words: (document: string, output: string) => [
      ...options({ input: document, output: join(output, "index.ts"), client: "fetch" }),
      "--fail-on-warnings",
    ],
  },
};

const options = (values: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);

/** Generates `generated/<generator>/<document>/index.ts` with each generator. */
export async function generateClients(names: readonly DocumentName[]): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  for (const name of names) {
    for (const [generator, { program, words }] of Object.entries(generators)) {
      const output = join(folder, generator, name);
      mkdirSync(output, { recursive: true });
      const rest = words(documentFile(name), output);
      await run(process.execPath, [join(modules, program), ...rest], { cwd: folder });
    }
  }
}

/** Compiles the generated clients, and a program that uses them, with the project's TypeScript. */
export async function compileClients(program: string): Promise<void> {
  writeFileSync(join(folder, "program.ts"), program);
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const config = join(import.meta.dirname, "generated-clients.tsconfig.json");
  try {
    await run(process.execPath, [compiler, "--project", config]);
  } catch (error) {
    throw new Error((error as { readonly stdout: string }).stdout, { cause: error });
  }
}
