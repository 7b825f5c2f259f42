/** What the exit code of every command says. */
export const exitCodes = { success: 0, failure: 1, usage: 2, partial: 3 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** As `secplat --help` prints them. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  [exitCodes.success]: "done",
  [exitCodes.failure]: "failed; standard error says why",
  [exitCodes.usage]: "the command line is wrong; nothing was done",
  [exitCodes.partial]: "some lines of the input were refused; the others were taken",
};

/** Ends a command with a message for people and an exit code for scripts. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;
  constructor(message: string, exitCode: ExitCode = exitCodes.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}
