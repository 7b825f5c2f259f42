import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface Outcome {
  /** Null when a signal ended the process. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Words before the command line: a shell that sets a limit, a tool that drops rights. */
  readonly under?: readonly string[];
  /** How `secplat` is called; from its sources unless said otherwise. */
  readonly program?: readonly string[];
}

/** A process under way, and what it wrote so far. */
export interface Running {
  readonly child: ChildProcess;
  readonly written: { stdout: string; stderr: string };
  readonly ended: Promise<Outcome>;
  /** Resolves with the first match in an output; rejects when the process ends without one. */
  until(output: "stdout" | "stderr", pattern: RegExp): Promise<RegExpExecArray>;
}

const entry = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
const fromSources = [process.execPath, "--conditions=@security-platform/source", entry];

/** Starts `secplat` as a user would: as a process of its own. It is gone after the test. */
export function start(words: readonly string[], options: ProcessOptions): Running {
  const { folder, environment = {}, input, under = [], program = fromSources } = options;
  const [command = "", ...rest] = [...under, ...program, ...words];
  const child = spawn(command, rest, { cwd: folder, env: { ...ownEnvironment(), ...environment } });
  const written = { stdout: "", stderr: "" };
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, ...written }));
  });
  for (const output of ["stdout", "stderr"] as const) {
    child[output].setEncoding("utf8").on("data", (text: string) => {
      written[output] += text;
    });
  }
  // A command that gives up does not read the rest of its input.
  child.stdin.on("error", () => undefined);
  if (input !== undefined) child.stdin.end(input);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    child,
    written,
    ended,
    until: (output, pattern) => matching(child, written, output, pattern),
  };
}

/** Runs one command to its end. */
export const secplat = (words: readonly string[], options: ProcessOptions): Promise<Outcome> =>
  start(words, { input: "", ...options }).ended;

function matching(
  child: ChildProcess,
  written: Running["written"],
  output: "stdout" | "stderr",
  pattern: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const match = pattern.exec(written[output]);
      if (match !== null) resolve(match);
    };
    child[output]?.on("data", look);
    child.once("close", () => {
      look();
      reject(new Error(`ended without ${pattern}:\n${written.stdout}\n${written.stderr}`));
    });
    look();
  });
}

/** Without the settings of this shell and of npm. A server on a busy machine refuses no request. */
const ownEnvironment = (): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /^(SECPLAT|npm|NODE_ENV)/.test(name) ? [] : [[name, value]],
    ),
  ),
  SECPLAT_OVERLOAD_DELAY: "0",
});
