import { Command, CommanderError } from "commander";
import { addAuditCommand } from "./commands/audit.ts";
import { addClientsCommand } from "./commands/clients.ts";
import { addImportCommand } from "./commands/import.ts";
import { addSeedCommand } from "./commands/seed.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addTenantsCommand } from "./commands/tenants.ts";
import { CommandError, exitCodes } from "./terminal/exit-codes.ts";
import type { Surroundings } from "./terminal/streams.ts";

/** Runs one command line; answers its exit code. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const outcome = { exitCode: exitCodes.success as number };
  const program = createProgram(surroundings, (exitCode) => {
    outcome.exitCode = exitCode;
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return outcome.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    }
    surroundings.stderr.write(
      `secplat: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return error instanceof CommandError ? error.exitCode : exitCodes.failure;
  }
}

function createProgram(surroundings: Surroundings, setExitCode: (code: number) => void): Command {
  const program = new Command("secplat")
    .description("Run, fill and manage a Security Platform API of your own.")
    .showHelpAfterError("(secplat --help lists the commands)")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => surroundings.stdout.write(text),
      writeErr: (text) => surroundings.stderr.write(text),
    })
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 failed, 2 wrong command line, 3 some input lines were refused.\n" +
        "Options can come from SECPLAT_… environment variables, as named in each command's help.",
    );
  addServeCommand(program, surroundings);
  addTenantsCommand(program, surroundings);
  addClientsCommand(program, surroundings);
  addImportCommand(program, surroundings, setExitCode);
  addSeedCommand(program, surroundings);
  addAuditCommand(program, surroundings);
  return program;
}
