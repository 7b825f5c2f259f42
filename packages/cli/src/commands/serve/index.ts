import type { Command } from "commander";
import { jsonOption } from "../../options/shared.ts";
import { addSettings } from "../../settings/setting.ts";
import { configOption } from "../../settings/settings-file.ts";
import { refuseUnknownVariables } from "../../settings/variables.ts";
import { settings } from "../../settings/table.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import type { ServeOptions } from "./serve-options.ts";

export function addServeCommand(program: Command, context: CliContext): void {
  const command = program
    .command("serve")
    .description(
      "Start the server. An empty database gets a small demo world and a client; every start prints " +
        "the client's credentials. Standard output contains only the greeting; logs go to standard error.",
    );
  addSettings(command, settings)
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat serve
  secplat serve --workers 4
  secplat serve --port 0 --json | head -1 | jq -r .url
  SECPLAT_DATABASE=postgres://user:password@host/name secplat serve --host 0.0.0.0 --no-demo

SIGTERM and Ctrl-C finish the requests in progress and exit with 0; a second one stops at once.
SIGHUP reads the certificate again. In a terminal it stops the server.`,
    )
    .action(async (options: ServeOptions) => {
      // The server takes most of the time to load, and the help does without it.
      const { serve } = await import("./serve.ts");
      refuseUnknownVariables(context);
      await serve(options, context);
    });
}
