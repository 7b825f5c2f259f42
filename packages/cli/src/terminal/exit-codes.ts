/** The meaning of the exit codes of all commands. */
export const exitCodes = {
  success: 0,
  failure: 1,
  usage: 2,
  partial: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Printed by `secplat --help`. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  [exitCodes.success]: "done",
  [exitCodes.failure]: "failed; see standard error",
  [exitCodes.usage]: "invalid command line; nothing was done",
  [exitCodes.partial]: "some lines of the input were rejected; the others were imported",
  [exitCodes.interrupted]: "interrupted with Ctrl-C",
};

/** Exit codes of `secplat exec`, which are those of shells. */
export const programCodes = { notExecutable: 126, notFound: 127 } as const;

type ProgramCode = (typeof programCodes)[keyof typeof programCodes];

/** Ends a command with a message for people and an exit code for scripts. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode | ProgramCode;
  constructor(
    message: string,
    exitCode: ExitCode | ProgramCode = exitCodes.failure,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/**
 * Ends a command with an exit code and without a message: it has printed what there is to say, or it was
 * interrupted.
 */
export class SilentExit extends Error {
  override readonly name = "SilentExit";
  readonly exitCode: number;
  constructor(exitCode: number) {
    super(`ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}
