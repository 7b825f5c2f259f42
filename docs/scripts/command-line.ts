import { createProgram } from "secplat";
import { block, code, joinBlocks } from "./reference/markdown.ts";

type Command = ReturnType<typeof createProgram>;

interface CommandHelp {
  /** `clients create`; empty for the command line itself. */
  readonly name: string;
  readonly depth: number;
  /** As `--help` prints it. */
  readonly help: string;
}

/** The page that shows every command as its own help describes it. */
export const commandLinePage = (): string =>
  joinBlocks([
    "# Command line",
    "What `npm run -s secplat -- <command> --help` says, for every command. What to do with them: " +
      "[Running it](/guides/running).",
    ...commandHelps().flatMap(({ name, depth, help }) => [
      depth === 0 ? "" : `${"#".repeat(depth + 1)} ${code(name)}`,
      block("text", help),
    ]),
  ]);

function commandHelps(): readonly CommandHelp[] {
  let printed = "";
  const output = { columns: 90, write: (text: string) => (printed += text) };
  const collect = (command: Command, name: string, depth: number): readonly CommandHelp[] => {
    printed = "";
    command.outputHelp();
    const own = { name, depth, help: printed.trim() };
    const nested = command.commands.flatMap((inner) =>
      collect(inner, `${name} ${inner.name()}`.trim(), depth + 1),
    );
    return [own, ...nested];
  };
  const program = createProgram({
    stdin: process.stdin,
    stdout: output,
    stderr: output,
    environment: {},
    workingFolder: ".",
    stopAsked: () => Promise.resolve(),
  });
  return collect(program, "", 0);
}
