import { spawn, type ChildProcess } from "node:child_process";
import { onTestFinished } from "vitest";
import { secplatArguments } from "../../../../testing/secplat.ts";

export interface Outcome {
  /** Null if a signal ended the process. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Command prefix: a shell that sets a limit, or a tool that drops privileges. */
  readonly under?: readonly string[];
  /** How to run `secplat`; by default as `secplatArguments`. */
  readonly program?: readonly string[];
  /** Registers the end of the process; by default it ends after the test. */
  readonly finish?: (cleanUp: () => Promise<void>) => void;
}

/** A running process, and its output so far. */
export interface Running {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<Outcome>;
  /** Resolves with the first match in an output; rejects if the process ends without one. */
  until(stream: "stdout" | "stderr", pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts `secplat` in a process of its own. */
export function start(words: readonly string[], options: ProcessOptions): Running {
  const {
    folder,
    environment = {},
    input,
    under = [],
    program = [process.execPath, ...secplatArguments],
  } = options;
  const { finish = onTestFinished } = options;
  const [command = "", ...rest] = [...under, ...program, ...words];
  const child = spawn(command, rest, { cwd: folder, env: { ...ownEnvironment(), ...environment } });
  const output = { stdout: "", stderr: "" };
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, ...output }));
  });
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text;
    });
  }
  // A command that fails does not read the rest of its input.
  child.stdin.on("error", () => undefined);
  if (input !== undefined) child.stdin.end(input);
  finish(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    child,
    output,
    ended,
    until: (stream, pattern) => matching(child, output, stream, pattern),
  };
}

/** Runs one command until it ends. */
export const secplat = (words: readonly string[], options: ProcessOptions): Promise<Outcome> =>
  start(words, { input: "", ...options }).ended;

function matching(
  child: ChildProcess,
  output: Running["output"],
  stream: "stdout" | "stderr",
  pattern: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const match = pattern.exec(output[stream]);
      if (match !== null) resolve(match);
    };
    child[stream]?.on("data", look);
    child.once("close", () => {
      look();
      reject(new Error(`ended without ${pattern}:\n${output.stdout}\n${output.stderr}`));
    });
    look();
  });
}

/**
 * Without the settings of this shell and of npm, and without the overload limit, which a busy
 * machine would reach.
 */
const ownEnvironment = (): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /^(SECPLAT|npm|NODE_ENV)/.test(name) ? [] : [[name, value]],
    ),
  ),
  SECPLAT_OVERLOAD_DELAY: "0",
});
