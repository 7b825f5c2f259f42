/** What the exit code of every command says. Printed by `secplat --help`. */
export const exitCodes = {
  /** Done. */
  success: 0,
  /** The command was understood and failed; standard error says why. */
  failure: 1,
  /** The command line is wrong; nothing was done. */
  usage: 2,
  /** Some lines of the input were refused; the others were taken. */
  partial: 3,
} as const;

/** Ends a command with a message for people and an exit code for scripts. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;
  constructor(message: string, exitCode: number = exitCodes.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}
