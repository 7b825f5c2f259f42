import { Command, CommanderError } from "commander";
import { addAuditCommand } from "./commands/audit.ts";
import { addClientsCommand } from "./commands/clients/index.ts";
import { addHostGroupsCommand } from "./commands/host-groups/index.ts";
import { addImportCommand } from "./commands/import.ts";
import { addInvitationsCommand } from "./commands/invitations/index.ts";
import { addJobsCommand } from "./commands/jobs/index.ts";
import { addOutboxCommand } from "./commands/outbox.ts";
import { addSeedCommand } from "./commands/seed.ts";
import { addServeCommand } from "./commands/serve/index.ts";
import { addTenantsCommand } from "./commands/tenants/index.ts";
import { addUsersCommand } from "./commands/users/index.ts";
import { holdsPassword } from "./database/url.ts";
import { describeError } from "./terminal/describe-error.ts";
import { CommandError, exitCodeMeanings, exitCodes } from "./terminal/exit-codes.ts";
import type { Surroundings } from "./terminal/surroundings.ts";
import { version } from "./version.ts";

/** Runs one command line and returns its exit code. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    await createProgram(surroundings).parseAsync(words, { from: "user" });
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

/** All commands with their options; the documentation reads them from here. */
export function createProgram(surroundings: Surroundings): Command {
  const { stdout, stderr } = surroundings;
  const program = new Command("secplat")
    .description("Run, fill and manage a Security Platform API of your own.")
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
  addServeCommand(program, surroundings);
  addTenantsCommand(program, surroundings);
  addClientsCommand(program, surroundings);
  addImportCommand(program, surroundings);
  addHostGroupsCommand(program, surroundings);
  addSeedCommand(program, surroundings);
  addUsersCommand(program, surroundings);
  addInvitationsCommand(program, surroundings);
  addOutboxCommand(program, surroundings);
  addJobsCommand(program, surroundings);
  addAuditCommand(program, surroundings);
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
