import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { readLines } from "../input/lines.ts";
import type { CliContext } from "../terminal/cli-context.ts";

/**
 * Asks before something is changed. Without a terminal, the error names `--yes`. Throws a `CommandError` unless
 * the answer is yes.
 */
export async function confirm(question: string, { stdin, stderr }: CliContext): Promise<void> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new CommandError(
      `${question} There is no terminal to ask; confirm with --yes`,
      exitCodes.usage,
    );
  }
  stderr.write(`${question} [y/N] `);
  for await (const line of readLines(stdin, { name: "the answer" })) {
    if (/^y(es)?$/i.test(line.trim())) return;
    break;
  }
  throw new CommandError("nothing was changed");
}
