import { existsSync } from "node:fs";
import { constants } from "node:os";
import { isAbsolute, resolve } from "node:path";
import spawn from "cross-spawn";
import { describeError, systemCode } from "../../terminal/describe-error.ts";
import { CommandError, programCodes } from "../../terminal/exit-codes.ts";
import { printable } from "../../terminal/printable.ts";
import type { Signals } from "../../terminal/cli-context.ts";

export interface ProgramParts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** Sent on to the program. */
  readonly signals: Signals;
}

/**
 * Runs a program with the streams of this process, without a shell. Returns its exit code: 128 + n if the signal
 * n ended it. Throws `CommandError` if it cannot be started.
 */
export function runProgram(
  [program = "", ...words]: readonly string[],
  { environment, folder, signals }: ProgramParts,
): Promise<number> {
  return new Promise((fulfil, reject) => {
    if (signals.first !== undefined) {
      fulfil(codeOf(signals.first));
      return;
    }
    const child = spawn(program, words, { cwd: folder, env: { ...environment }, stdio: "inherit" });
    signals.forward((signal) => void child.kill(signal));
    child.once("error", (error) => reject(startError(program, folder, error)));
    child.once("exit", (code, signal) => fulfil(code ?? codeOf(signal)));
  });
}

const codeOf = (signal: NodeJS.Signals | null): number =>
  signal === null ? 1 : 128 + constants.signals[signal];

function startError(program: string, folder: string, error: Error): Error {
  const name = printable(program);
  const code = systemCode(error);
  if (code === "ENOENT") {
    const isPath = isAbsolute(program) || program.includes("/");
    return new CommandError(
      isPath && existsSync(resolve(folder, program))
        ? `cannot run "${name}": the interpreter of its first line does not exist`
        : `cannot run "${name}": there is no such program${isPath ? "" : " on the PATH"}${inOneWord(program)}`,
      programCodes.notFound,
    );
  }
  const causes: Readonly<Record<string, string>> = {
    EACCES: "it is not an executable file; try chmod +x",
    E2BIG: "its arguments are too long",
  };
  return new CommandError(
    `cannot run "${name}": ${causes[code ?? ""] ?? describeError(error)}`,
    programCodes.notExecutable,
  );
}

/** `"npm test"` in quotes is one word, and no program has this name. */
const inOneWord = (program: string): string =>
  /\s/.test(program) ? "; write the program and its arguments as separate words" : "";
