import { createProgram } from "../../packages/cli/src/program.ts";
import { noSignals } from "../../packages/cli/src/terminal/keep-signals.ts";
import { block, code, joinBlocks } from "./reference/markdown.ts";

type Command = Awaited<ReturnType<typeof createProgram>>;

interface CommandHelp {
  /** `clients create`; empty for the program itself. */
  readonly name: string;
  readonly depth: number;
  /** The output of `--help`. */
  readonly help: string;
}

/** The page with the help texts of all commands. */
export const commandLinePage = async (): Promise<string> =>
  joinBlocks([
    "---\nprogram: secplat\n---",
    "# All commands",
    "The output of `npx secplat <command> --help` for every command. For usage see " +
      "[Running it](/guides/running) and [Command line](/guides/command-line).",
    ...(await commandHelps()).flatMap(({ name, depth, help }) => [
      depth === 0 ? "" : `${"#".repeat(depth + 1)} ${code(name)}`,
      block("text", help),
    ]),
  ]);

async function commandHelps(): Promise<readonly CommandHelp[]> {
  let printed = "";
  // What fits into the column of a guide.
  const output = { columns: 68, write: (text: string) => (printed += text) };
  const collect = (command: Command, name: string, depth: number): readonly CommandHelp[] => {
    printed = "";
    // Descriptions wrap also where little room is left beside long options.
    command.configureHelp({ ...command.configureHelp(), minWidthToWrap: 20 });
    command.outputHelp();
    const own = { name, depth, help: printed.trim() };
    const nested = command.commands.flatMap((inner) =>
      collect(inner, `${name} ${inner.name()}`.trim(), depth + 1),
    );
    return [own, ...nested];
  };
  const program = await createProgram({
    stdin: process.stdin,
    stdout: output,
    stderr: output,
    environment: {},
    workingFolder: ".",
    stopRequested: () => Promise.resolve(),
    interruption: () => new AbortController().signal,
    signals: noSignals,
    onHangUp: () => undefined,
  });
  return collect(program, "", 0);
}
