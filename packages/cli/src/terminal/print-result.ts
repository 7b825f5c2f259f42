import type { CliContext } from "./cli-context.ts";

export interface ResultOptions {
  readonly json?: boolean;
}

/**
 * Prints the result of a command: with `--json` one JSON value on one line, otherwise text for
 * people.
 */
export function printResult(
  { stdout }: CliContext,
  { json }: ResultOptions,
  value: unknown,
  text: () => string,
): void {
  stdout.write(json === true ? `${JSON.stringify(value)}\n` : text());
}
