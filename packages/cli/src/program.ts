import { Command, CommanderError } from "commander";
import { holdsPassword } from "./database/url.ts";
import { describeError } from "./terminal/describe-error.ts";
import { CommandError, exitCodeMeanings, exitCodes } from "./terminal/exit-codes.ts";
import type { Surroundings } from "./terminal/surroundings.ts";
import { version } from "./version.ts";

/** Runs one command line and returns its exit code. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    const program = await createProgram(surroundings, neededCommands(words));
    await program.parseAsync(words, { from: "user" });
    return exitCodes.success;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    }
    const { stderr, environment } = surroundings;
    stderr.write(`secplat: ${describeError(error)}\n`);
    if (environment["SECPLAT_DEBUG"] !== undefined && error instanceof Error) {
      stderr.write(`${error.stack}\n`);
    }
    return error instanceof CommandError ? error.exitCode : exitCodes.failure;
  }
}

type AddCommand = (program: Command, surroundings: Surroundings) => void;

/** The commands in the order of the help. Each loads much of the server, so only needed ones are loaded. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import("./commands/serve/index.ts")).addServeCommand,
  tenants: async () => (await import("./commands/tenants/index.ts")).addTenantsCommand,
  clients: async () => (await import("./commands/clients/index.ts")).addClientsCommand,
  import: async () => (await import("./commands/import.ts")).addImportCommand,
  scan: async () => (await import("./commands/scan/index.ts")).addScanCommand,
  "host-groups": async () => (await import("./commands/host-groups/index.ts")).addHostGroupsCommand,
  seed: async () => (await import("./commands/seed.ts")).addSeedCommand,
  users: async () => (await import("./commands/users/index.ts")).addUsersCommand,
  invitations: async () => (await import("./commands/invitations/index.ts")).addInvitationsCommand,
  outbox: async () => (await import("./commands/outbox.ts")).addOutboxCommand,
  cases: async () => (await import("./commands/cases/index.ts")).addCasesCommand,
  deliveries: async () => (await import("./commands/deliveries/index.ts")).addDeliveriesCommand,
  exports: async () => (await import("./commands/exports/index.ts")).addExportsCommand,
  jobs: async () => (await import("./commands/jobs/index.ts")).addJobsCommand,
  "access-tags": async () => (await import("./commands/access-tags/index.ts")).addAccessTagsCommand,
  keys: async () => (await import("./commands/keys/index.ts")).addKeysCommand,
  audit: async () => (await import("./commands/audit.ts")).addAuditCommand,
};

/** The command that the first word names; none for the version; all for help and for mistakes. */
function neededCommands([first = ""]: readonly string[]): readonly string[] {
  if (first === "--version" || first === "-V") return [];
  return Object.hasOwn(commands, first) ? [first] : Object.keys(commands);
}

/** The program with the commands `names`, by default all; the documentation reads them from here. */
export async function createProgram(
  surroundings: Surroundings,
  names: readonly string[] = Object.keys(commands),
): Promise<Command> {
  const { stdout, stderr } = surroundings;
  const program = new Command("secplat")
    .description("Run, fill and manage your own Security Platform API.")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .showHelpAfterError(" (--help lists the options)")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, "secplat: ")),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText("after", guidance)
    .hook("preAction", (_program, command) => warnOfPassword(command, surroundings));
  for (const name of names) {
    const add = await commands[name]?.();
    add?.(program, surroundings);
  }
  return program;
}

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
  Options with a variable (env: …) can also be set with it. SECPLAT_DEBUG adds the stack to errors.`;

function warnOfPassword(command: Command, { stderr }: Surroundings): void {
  const { database } = command.opts<{ database?: string }>();
  if (command.getOptionValueSource("database") !== "cli" || !holdsPassword(database ?? "")) return;
  stderr.write(
    "secplat: other users can see the password in --database in the list of processes; " +
      "set SECPLAT_DATABASE or PGPASSWORD instead\n",
  );
}
