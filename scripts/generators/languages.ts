import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Need } from "../../testing/platform.ts";
import { documentFile, documents, documentsFolder, type DocumentName } from "./documents.ts";

/** A generator of clients in another language, and a program that calls a server with them. */
export interface Language {
  readonly generator: string;
  readonly need: Need;
  /** Generates the clients of all documents, and compiles them if the language has a compiler. */
  generate(folder: string): Promise<void>;
  /** The names that the generator gave the operations of a document. */
  operationNames(folder: string, document: DocumentName): readonly string[];
  /** The output of the program. */
  call(folder: string, environment: Environment): Promise<string>;
}

type Environment = Readonly<Record<string, string>>;

interface RunOptions {
  readonly cwd: string;
  readonly environment?: Environment;
}

const execute = promisify(execFile);

/** The output of a program. An error contains all that the program printed. */
async function run(
  program: string,
  words: readonly string[],
  { cwd, environment = {} }: RunOptions,
): Promise<string> {
  try {
    const env = { ...process.env, ...environment };
    return (await execute(program, words, { cwd, env, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { message, stdout, stderr } = error as Error &
      Readonly<Record<"stdout" | "stderr", string>>;
    throw new Error([message, stdout, stderr].join("\n"), { cause: error });
  }
}

/** A folder beside this file: the program, and the versions of the generator and the libraries. */
const sources = (language: string): string => join(import.meta.dirname, language);

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name);

const texts = (folder: string): string =>
  readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");

/** Pip has no cache of installed programs, so the next run uses the same environment. */
const environmentFolder = join(
  import.meta.dirname,
  "../../node_modules/.cache/generators/python/bin",
);

const python: Language = {
  generator: "openapi-python-client",
  need: "python3",
  generate: async (cwd) => {
    await run("python3", ["-m", "venv", join(environmentFolder, "..")], { cwd });
    const requirements = join(sources("python"), "requirements.txt");
    const pip = join(environmentFolder, "pip");
    await run(pip, ["install", "--quiet", "--requirement", requirements], { cwd });
    // The generator looks for the formatter in the search path.
    const environment = { PATH: [environmentFolder, process.env["PATH"]].join(delimiter) };
    for (const name of documents) {
      const words = ["--path", documentFile(name), "--output-path", join(cwd, name)];
      await run(
        join(environmentFolder, "openapi-python-client"),
        ["generate", ...words, "--meta", "none", "--fail-on-warning"],
        { cwd, environment },
      );
    }
  },
  operationNames: (folder, document) =>
    readdirSync(join(folder, document, "api"), { recursive: true, encoding: "utf8" }).flatMap(
      (path) => matches(path, /(\w+)\.py$/g),
    ),
  call: (cwd, environment) => {
    const program = join(sources("python"), "calls.py");
    const words = { ...environment, PYTHONPATH: cwd };
    return run(join(environmentFolder, "python"), [program], { cwd, environment: words });
  },
};

const go: Language = {
  generator: "oapi-codegen",
  need: "go",
  generate: async (cwd) => {
    cpSync(sources("go"), cwd, { recursive: true });
    for (const name of documents) {
      mkdirSync(join(cwd, name));
      const words = ["-generate", "types,client", "-package", name, "-o", `${name}/client.go`];
      await run("go", ["tool", "oapi-codegen", ...words, documentFile(name)], { cwd });
    }
    await run("go", ["build", "./..."], { cwd });
  },
  operationNames: (folder, document) =>
    matches(
      readFileSync(join(folder, document, "client.go"), "utf8"),
      /^func \(c \*ClientWithResponses\) (\w+?)(?:With(?:[A-Z][a-z]+)?Body)?WithResponse\(/gm,
    ),
  call: (cwd, environment) => run("go", ["run", "."], { cwd, environment }),
};

const maven = (goal: string, cwd: string, environment?: Environment): Promise<string> =>
  run("mvn", ["--quiet", "--batch-mode", `-Ddocuments=${documentsFolder}`, goal], {
    cwd,
    ...(environment === undefined ? {} : { environment }),
  });

const java: Language = {
  generator: "openapi-generator for Java",
  need: "javac and mvn",
  generate: async (cwd) => {
    cpSync(sources("java"), cwd, { recursive: true });
    await maven("compile", cwd);
  },
  operationNames: (folder, document) =>
    matches(
      texts(join(folder, "target", document, "src/main/java", document, "api")),
      /^ {4}public ApiResponse<.*> (\w+)WithHttpInfo\(/gm,
    ),
  call: (cwd, environment) => maven("exec:java", cwd, environment),
};

export const languages: readonly Language[] = [python, go, java];
