import { createProgram } from "../../packages/cli/src/program.ts";
import { noSignals } from "../../packages/cli/src/terminal/keep-signals.ts";
import { escape } from "./reference/html.ts";
import { block, code, folded, joinBlocks } from "./reference/markdown.ts";

type Command = Awaited<ReturnType<typeof createProgram>>;

interface CommandHelp {
  /** `clients create`; empty for the program itself. */
  readonly name: string;
  readonly depth: number;
  /** The output of `--help`. */
  readonly help: string;
  /** What it does, in a few words. */
  readonly summary: string;
}

/** The page with the help texts of all commands. */
export const commandLinePage = async (): Promise<string> =>
  joinBlocks([
    "---\nprogram: secplat\noutline: 2\n---",
    "# All commands",
    "The output of `npx secplat <command> --help` for every command. For usage see " +
      "[Running it](/guides/running) and [Command line](/guides/command-line).",
    ...sections(await commandHelps()),
  ]);

/** The help of the program, and a folded part for each of its commands, with its inner commands. */
function sections([program, ...commands]: readonly CommandHelp[]): readonly string[] {
  const top = commands.filter(({ depth }) => depth === 1);
  return [
    block("text", program?.help ?? ""),
    ...top.flatMap(({ name, help, summary }) => {
      const inner = commands.filter((each) => each.depth > 1 && each.name.startsWith(`${name} `));
      return [
        `## ${code(name)}`,
        ...folded(`${escape(summary)}${inner.length === 0 ? "" : `: ${inner.length} commands`}`, [
          block("text", help),
          ...inner.flatMap((command) => [
            `${"#".repeat(command.depth + 1)} ${code(command.name)}`,
            block("text", command.help),
          ]),
        ]),
      ];
    }),
  ];
}

async function commandHelps(): Promise<readonly CommandHelp[]> {
  let printed = "";
  // What fits into the column of a guide.
  const output = { columns: 68, write: (text: string) => (printed += text) };
  const collect = (command: Command, name: string, depth: number): readonly CommandHelp[] => {
    printed = "";
    // Descriptions wrap also where little room is left beside long options.
    command.configureHelp({ ...command.configureHelp(), minWidthToWrap: 20 });
    command.outputHelp();
    const own = {
      name,
      depth,
      help: printed.trim(),
      summary: command.summary() || command.description(),
    };
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
    endSoon: () => undefined,
    onHangUp: () => undefined,
  });
  return collect(program, "", 0);
}
