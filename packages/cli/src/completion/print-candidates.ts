import { exitCodes, type ExitCode } from "../terminal/exit-codes.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { candidatesFor, type Candidate } from "./candidates.ts";
import type { ProgramFor } from "./listed-values.ts";
import { filesCandidate, type Shell } from "./scripts.ts";
import { splitLine } from "./split-line.ts";

/**
 * Prints the candidates for the last word of a command line, one a line; for shells that show one, with a tab
 * and a description. `words`: the shell, its line up to the cursor, and what bash regards as the last word.
 * Whatever is wrong, people who press Tab see no error.
 */
export async function printCandidates(
  [shell = "", text = "", last]: readonly string[],
  context: CliContext,
  programFor: ProgramFor,
): Promise<ExitCode> {
  const words = splitLine(text, shell === "powershell" ? "`" : "\\").slice(1);
  const typed = words.at(-1) ?? "";
  try {
    const program = await programFor(words.slice(0, -1), context);
    const { candidates, files } = await candidatesFor(program, words, context, programFor);
    const lines = candidates.map((candidate) => lineOf(shell as Shell, candidate, typed, last));
    if (files) lines.push(filesCandidate);
    context.stdout.write(lines.map((line) => `${line}\n`).join(""));
  } catch {
    return exitCodes.failure;
  }
  return exitCodes.success;
}

function lineOf(
  shell: Shell,
  { value, description }: Candidate,
  typed: string,
  last = typed,
): string {
  // bash also separates words at = and :, and replaces only the last part.
  if (shell === "bash") return value.slice(typed.endsWith(last) ? typed.length - last.length : 0);
  return description === "" ? value : `${value}\t${description}`;
}
