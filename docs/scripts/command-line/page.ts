import { block, code, joinBlocks } from "../reference/markdown.ts";

export interface CommandHelp {
  /** `["clients", "create"]`; none for the command line itself. */
  readonly words: readonly string[];
  /** As `--help` prints it. */
  readonly help: string;
}

/** The page that shows every command as its own help describes it. */
export const commandLinePage = (commands: readonly CommandHelp[]): string =>
  joinBlocks([
    "# Command line",
    "What `npm run -s secplat -- <command> --help` says, for every command. What to do with them: " +
      "[Running it](/guides/running).",
    ...commands.flatMap(({ words, help }) => [
      words.length === 0 ? "" : `${"#".repeat(words.length + 1)} ${code(words.join(" "))}`,
      block("text", help),
    ]),
  ]);
