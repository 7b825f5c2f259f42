import { spawn } from "node:child_process";
import { once } from "node:events";
import { drained } from "../terminal/drained.ts";
import { systemCode } from "../terminal/describe-error.ts";
import { CommandError, exitCodes, SilentExit } from "../terminal/exit-codes.ts";
import type { Output, CliContext } from "../terminal/cli-context.ts";

export interface Page {
  readonly output: Output;
  /** Aborts when the output ends early: at Ctrl-C, or when its reader is closed. */
  readonly signal: AbortSignal;
  /** Waits until the output can take more. Throws the reason of the signal. */
  drained(): Promise<void>;
  /** Waits until the reader has closed the pager. */
  end(): Promise<void>;
}

/**
 * The output of a command. On a terminal it goes through `PAGER`, by default `less`, which shows output that
 * fits the screen at once.
 */
export function openPager(context: CliContext, wanted: boolean): Page {
  const { stdout, environment } = context;
  const interruption = context.interruption();
  const program = environment["PAGER"] ?? "less";
  const isPaged = wanted && stdout.isTTY === true && !["", "cat"].includes(program);
  if (!isPaged) {
    return {
      output: stdout,
      signal: interruption,
      drained: () => drained(stdout, interruption),
      end: () => Promise.resolve(),
    };
  }
  // F: quit if it fits the screen; R: keep colours; X: leave it on the screen.
  const child = spawn(program, {
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    env: { LESS: "FRX", ...environment },
  });
  const closed = new AbortController();
  // A reader that quits early closes the pipe.
  child.stdin.on("error", (error) => {
    if (systemCode(error) === "EPIPE") closed.abort(new SilentExit(exitCodes.success));
  });
  const ended = once(child, "close");
  const output: Output = {
    isTTY: true,
    ...(stdout.columns === undefined ? {} : { columns: stdout.columns }),
    write: (text) => child.stdin.write(text),
  };
  const signal = AbortSignal.any([interruption, closed.signal]);
  return {
    output,
    signal,
    drained: () => drained(child.stdin, signal),
    end: async () => {
      child.stdin.end();
      const [code] = (await ended) as [code: number | null];
      // The codes of shells for programs that cannot be run.
      if (code === 126 || code === 127) {
        throw new CommandError(
          `PAGER: cannot run ${program}; set another, or use --no-pager`,
          exitCodes.usage,
        );
      }
    },
  };
}
