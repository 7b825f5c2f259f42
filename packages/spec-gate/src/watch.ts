import { randomUUID } from "node:crypto";
import { parentPort, Worker } from "node:worker_threads";
import { parseCommandLine } from "./command-line.ts";
import { mostSeconds, timeIsOver } from "./effort.ts";
import { oneLine } from "./json.ts";
import { removeFolders, runVariable } from "./read/write-document.ts";

/** What the thread of a command says. */
type Message =
  | { readonly kind: "compared" }
  | { readonly kind: "finished"; readonly stdout: string; readonly stderr: string; code: number };

/**
 * Runs a command in a thread, and ends it when its time is over, whatever it is doing. Returns the
 * exit code.
 */
export async function watch(words: readonly string[], program: URL): Promise<number> {
  const seconds = limitOf(words);
  const run = `${randomUUID()}-`;
  const thread = new Worker(program, {
    argv: [...words],
    env: { ...process.env, [runVariable]: run },
  });
  let finished = false;
  const code = await new Promise<number>((resolve) => {
    const finish = (exitCode: number): void => {
      clearTimeout(timer);
      finished = true;
      resolve(exitCode);
    };
    const fail = (reason: string): void => {
      // The exit of the thread may be reported in the same turn as its last message.
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      process.stderr.write(`spec-gate: ${reason}\n`);
      // Only a failed run needs it in this thread.
      void import("./command.ts")
        .then(({ reportProblem }) => reportProblem(words, reason, process))
        .catch((error: unknown) => process.stderr.write(`spec-gate: ${oneLine(String(error))}\n`))
        .finally(() => finish(2));
    };
    const timer = setTimeout(() => fail(timeIsOver(seconds)), seconds * 1000);
    thread.on("message", (message: Message) => {
      if (message.kind === "finished") {
        process.stdout.write(message.stdout);
        process.stderr.write(message.stderr);
        finish(message.code);
      } else clearTimeout(timer);
    });
    // For example, the memory does not suffice.
    thread.on("error", (error) =>
      fail(`the change could not be judged: ${oneLine(String(error))}`),
    );
    thread.on("exit", () => fail("the change could not be judged: the comparison ended early"));
  });
  thread.removeAllListeners();
  await thread.terminate();
  removeFolders(run);
  return code;
}

/** Runs a command in the thread that `watch` started. */
export async function runInThread(words: readonly string[]): Promise<void> {
  const say = (message: Message): void => parentPort?.postMessage(message);
  let stdout = "";
  let stderr = "";
  // The watching thread does not need it.
  const { runCommand } = await import("./command.ts");
  const code = await runCommand(words, {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
    folder: process.cwd(),
    fetch,
    now: () => new Date(),
    compared: () => say({ kind: "compared" }),
  });
  say({ kind: "finished", stdout, stderr, code });
}

/** A wrong command line is reported by the command. */
function limitOf(words: readonly string[]): number {
  try {
    const command = parseCommandLine(words);
    return typeof command === "object" && command.kind === "compare"
      ? (command.seconds ?? mostSeconds)
      : mostSeconds;
  } catch {
    return mostSeconds;
  }
}
