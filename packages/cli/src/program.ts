import { nearest } from "@security-platform/fql";
import { Command, CommanderError } from "commander";
import { collectionSummary, collections } from "./calls/operations.ts";
import { completionWord } from "./completion/scripts.ts";
import { commandIndex, groups, type CommandEntry } from "./commands/command-index.ts";
import { holdsPassword } from "./database/url.ts";
import { plainError } from "./options/plain-error.ts";
import { describeError } from "./terminal/describe-error.ts";
import { CommandError, exitCodeMeanings, exitCodes, SilentExit } from "./terminal/exit-codes.ts";
import type { CliContext } from "./terminal/cli-context.ts";
import { version } from "./version.ts";

/** Runs one command line and returns its exit code. */
export async function run(words: readonly string[], context: CliContext): Promise<number> {
  try {
    if (words[0] === completionWord) {
      const { printCandidates } = await import("./completion/print-candidates.ts");
      return await printCandidates(words.slice(1), context, programFor);
    }
    const program = await programFor(words, context);
    if (words[0] === "help" && words.length > 2) printHelp(program, words.slice(1));
    else await program.parseAsync(words, { from: "user" });
    return exitCodes.success;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    }
    if (error instanceof SilentExit) return error.exitCode;
    const { stderr, environment } = context;
    stderr.write(`secplat: ${describeError(error)}\n`);
    if (environment["SECPLAT_DEBUG"] !== undefined && error instanceof Error) {
      stderr.write(`${error.stack}\n`);
    }
    return error instanceof CommandError ? error.exitCode : exitCodes.failure;
  }
}

/**
 * The program for a command line. Only the command that it names is loaded; the others have the name and the
 * summary of their help.
 */
async function programFor(words: readonly string[], context: CliContext): Promise<Command> {
  const program = emptyProgram(context);
  const [first, ...rest] = words[0] === "help" ? words.slice(1) : words;
  if (first === "--version" || first === "-V") return program;
  for (const entry of commandIndex) {
    if (entry.name === first) await addEntry(program, context, entry, rest);
    else program.command(entry.name).summary(entry.summary).helpGroup(entry.group);
  }
  if (commandIndex.some(({ name }) => name === first)) return program;
  for (const collection of collections()) {
    if (collection.name === first) {
      const { addCollection } = await import("./calls/add-collection.ts");
      addCollection(program, context, collection, rest[0]);
    } else {
      program.command(collection.name).summary(collectionSummary(collection));
    }
  }
  for (const command of program.commands) command.helpGroup(command.helpGroup() || groups.use);
  return program;
}

/** The program with all commands loaded; the documentation reads them from here. */
export async function createProgram(context: CliContext): Promise<Command> {
  const program = emptyProgram(context);
  for (const entry of commandIndex) await addEntry(program, context, entry);
  return program;
}

async function addEntry(
  program: Command,
  context: CliContext,
  { name, summary, group, load }: CommandEntry,
  words?: readonly string[],
): Promise<void> {
  const add = await load();
  add(program, context, words);
  program.commands
    .find((command) => command.name() === name)
    ?.summary(summary)
    .helpGroup(group);
}

function emptyProgram(context: CliContext): Command {
  const { stdout, stderr } = context;
  return new Command("secplat")
    .description("Run, fill, call and manage your own Security Platform API.")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpCommand(helpCommand())
    .showHelpAfterError(" (--help lists the options)")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // The hint follows on the same line.
      outputError: (text, write) => write(plainError(text).trimEnd()),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText("after", guidance)
    .hook("preAction", async (_program, command) => {
      warnOfPassword(command, context);
      const { applySettings } = await import("./settings/apply-settings.ts");
      await applySettings(command, context);
    });
}

/** The help of a command within a command. */
function printHelp(program: Command, names: readonly string[]): void {
  let command = program;
  for (const name of names) {
    const inner = command.commands.find((each) => [each.name(), ...each.aliases()].includes(name));
    if (inner === undefined) {
      const known = command.commands.map((each) => each.name());
      throw new CommandError(
        `help: ${command.name()} has no command '${name}'${suggestion(name, known)} (secplat ${command === program ? "" : `${command.name()} `}--help lists them)`,
        exitCodes.usage,
      );
    }
    command = inner;
  }
  command.outputHelp();
}

function suggestion(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? "" : `. Did you mean ${near}?`;
}

const helpCommand = (): Command =>
  new Command("help")
    .argument("[command...]")
    .description("print the help of a command")
    .helpOption(false)
    .helpGroup("Help:");

const guidance = `
Examples:
  secplat serve                                       a demo on http://127.0.0.1:8080
  secplat import indicators indicators.ndjson         import records, also while it runs
  secplat clients create reporting --scope ioc-management:read

Exit codes:
${Object.entries(exitCodeMeanings)
  .map(([code, meaning]) => `  ${code}  ${meaning}`)
  .join("\n")}

Environment:
  Options with a variable (env: …) can also be set with it, or in secplat.yaml. SECPLAT_DEBUG adds the stack to errors.`;

function warnOfPassword(command: Command, { stderr }: CliContext): void {
  for (const [name, flag, variable] of [
    ["database", "--database", "SECPLAT_DATABASE"],
    ["databaseReplica", "--database-replica", "SECPLAT_DATABASE_REPLICA"],
  ] as const) {
    const value: unknown = command.getOptionValue(name);
    if (command.getOptionValueSource(name) !== "cli" || typeof value !== "string") continue;
    if (!holdsPassword(value)) continue;
    stderr.write(
      `secplat: other users can see the password in ${flag} in the list of processes; ` +
        `set ${variable} or PGPASSWORD instead\n`,
    );
  }
}
