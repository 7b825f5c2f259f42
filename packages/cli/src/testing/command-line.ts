import { run } from "../program.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs command lines in one folder, without a process of their own. */
export interface CommandLine {
  readonly folder: string;
  (words: readonly string[], input?: string): Promise<Outcome>;
  /** The value that a successful command prints with `--json`. */
  json<Value>(words: readonly string[]): Promise<Value>;
}

export interface CommandLineOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard error is a terminal. */
  readonly terminal?: boolean;
  /** Where to work; a folder of the test's own unless given. */
  readonly folder?: string;
}

export function commandLine({
  environment = {},
  terminal = false,
  folder = temporaryFolder(),
}: CommandLineOptions = {}): CommandLine {
  const call = async (words: readonly string[], input = ""): Promise<Outcome> => {
    const written = { stdout: "", stderr: "" };
    const exitCode = await run(words, {
      stdin: chunksOf(input),
      stdout: { write: (text) => (written.stdout += text) },
      stderr: { isTTY: terminal, write: (text) => (written.stderr += text) },
      environment,
      workingFolder: folder,
      stopAsked: () => Promise.resolve(),
    });
    return { exitCode, ...written };
  };
  const json = async <Value>(words: readonly string[]): Promise<Value> => {
    const { exitCode, stdout, stderr } = await call([...words, "--json"]);
    if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${stderr}`);
    return JSON.parse(stdout) as Value;
  };
  return Object.assign(call, { folder, json });
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  if (text !== "") yield Buffer.from(text);
}
