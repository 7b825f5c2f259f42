import { worlds } from "@security-platform/server/internal";
import { Option, type Command } from "commander";
import { readChoice } from "../../options/read-choice.ts";
import { SilentExit } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import type { ExecOptions } from "./server.ts";

export function addExecCommand(program: Command, context: CliContext): void {
  program
    .command("exec")
    .argument("<command...>", "program to run, and its arguments")
    .usage("[options] -- <command...>")
    .description(
      "Start a server with a new database on a free port, run a program with the variables that clients " +
        "read, stop the server and delete the database. The exit code is that of the program.",
    )
    .option("--compat", "serve in the mode for existing clients, as `secplat serve --compat`")
    .option("--tls", "serve https; the program trusts the certificate by its variables")
    .addOption(
      new Option(
        "--seed <world>",
        `fill the database with a generated world: ${worlds.join(", ")} (default: one tenant without records)`,
      ).argParser(readChoice(worlds)),
    )
    .option("--keep", "do not delete the database, and print its folder")
    .showHelpAfterError(
      " (write -- before the program, so that its options are its own; --help lists the options)",
    )
    .addHelpText("after", help)
    .action(async (words: readonly string[], options: ExecOptions) => {
      const exitCode = await execute(words, options, context);
      if (exitCode !== 0) throw new SilentExit(exitCode);
    });
}

async function execute(
  words: readonly string[],
  options: ExecOptions,
  context: CliContext,
): Promise<number> {
  const signals = context.signals();
  // The server takes most of the time to load, and the help does without it.
  const { runProgram } = await import("./run-program.ts");
  const { withServer } = await import("./server.ts");
  const { programVariables } = await import("./variables.ts");
  try {
    return await withServer(options, context, async (server) => {
      const environment = programVariables(context.environment, server);
      return runProgram(words, { environment, folder: context.workingFolder, signals });
    });
  } finally {
    signals.release();
  }
}

const help = `
Variables of the program:
  SECPLAT_URL, SECPLAT_CLIENT_ID, SECPLAT_CLIENT_SECRET   @security-platform/client and secplat
  SECPLAT_DATA, SECPLAT_CID                               folder of the database, and the tenant
  FALCON_CLIENT_ID, FALCON_CLIENT_SECRET                  FalconPy, falcon-mcp, Terraform
  FALCON_BASE_URL                                         falcon-mcp; pass it to FalconPy as base_url
  HOST_OVERRIDE, FALCON_CLOUD                             Terraform, which needs --tls
  SSL_CERT_FILE, REQUESTS_CA_BUNDLE, NODE_EXTRA_CA_CERTS  with --tls: the certificates to trust
  Other SECPLAT_… variables and FALCON_MEMBER_CID are not passed on.

Exit codes:
  that of the program; 128 + n if the signal n ended it; 127 if it does not exist; 126 if it cannot be
  executed; 1 if the server cannot start; 2 if the command line is invalid

Examples:
  secplat exec -- npm test
  secplat exec --compat --seed small -- pytest -q
  secplat exec --compat --tls -- terraform apply -auto-approve
  secplat exec -- sh -c 'curl -s -u "$SECPLAT_CLIENT_ID:$SECPLAT_CLIENT_SECRET" -d "" "$SECPLAT_URL/oauth2/token"'`;
