import { join } from "node:path";
import { run } from "../program.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { exitCodes, SilentExit } from "../terminal/exit-codes.ts";
import { silentContext } from "./silent-context.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs command lines in one folder, within the test's process. */
export interface CommandLine {
  readonly folder: string;
  (words: readonly string[], input?: string): Promise<Outcome>;
  /** The JSON value that a successful command prints with `--json`. */
  json<Value>(words: readonly string[]): Promise<Value>;
}

export interface CommandLineOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether standard input and standard error are a terminal. */
  readonly terminal?: boolean;
  /** What a person at the terminal replies to the questions, in their order. */
  readonly replies?: readonly string[];
  /** Interrupts the command as Ctrl-C does, after it has passed this number of safe points. */
  readonly interruptAfter?: number;
  /** Working folder; by default a temporary one. */
  readonly folder?: string;
}

export function commandLine({
  environment = {},
  terminal = false,
  replies,
  interruptAfter = Infinity,
  folder = temporaryFolder(),
}: CommandLineOptions = {}): CommandLine {
  const call = async (words: readonly string[], input = ""): Promise<Outcome> => {
    const output = { stdout: "", stderr: "" };
    const exitCode = await run(words, {
      ...silentContext,
      interruption: () => interruptedAfter(interruptAfter),
      stdin: Object.assign(chunksOf(input), { isTTY: terminal }),
      stdout: { write: (content) => (output.stdout += textOf(content)) },
      stderr: { isTTY: terminal, write: (content) => (output.stderr += textOf(content)) },
      // Profiles of the person who runs the tests must not matter.
      environment: { XDG_CONFIG_HOME: join(folder, ".config"), ...environment },
      workingFolder: folder,
      ...(replies === undefined ? {} : { ask: askFrom(replies, output) }),
    });
    return { exitCode, ...output };
  };
  const json = async <Value>(words: readonly string[]): Promise<Value> => {
    const { exitCode, stdout, stderr } = await call([...words, "--json"]);
    if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${stderr}`);
    return JSON.parse(stdout) as Value;
  };
  return Object.assign(call, { folder, json });
}

/** A signal that aborts when it is asked for the next time after `points` others. */
function interruptedAfter(points: number): AbortSignal {
  const controller = new AbortController();
  const { signal } = controller;
  let passed = 0;
  signal.throwIfAborted = () => {
    passed += 1;
    if (passed > points) controller.abort(new SilentExit(exitCodes.interrupted));
    AbortSignal.prototype.throwIfAborted.call(signal);
  };
  return signal;
}

/** Shows the questions, and the replies that are not hidden. */
function askFrom(
  replies: readonly string[],
  output: { stderr: string },
): NonNullable<CliContext["ask"]> {
  const left = [...replies];
  return async (question, { hidden } = { hidden: false }) => {
    const text = left.shift() ?? "";
    output.stderr += `${question}${hidden ? "" : text}\n`;
    return text;
  };
}

const textOf = (content: string | Uint8Array): string => Buffer.from(content as string).toString();

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  if (text !== "") yield Buffer.from(text);
}
