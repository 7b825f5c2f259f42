import type { Command } from "commander";
import { openFiles } from "../../database/files.ts";
import { databaseUrl } from "../../database/url.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { readSettings } from "../../settings/read-settings.ts";
import { addSettings } from "../../settings/setting.ts";
import { configOption, settingsFileOf } from "../../settings/settings-file.ts";
import { settings } from "../../settings/table.ts";
import { refuseUnknownVariables } from "../../settings/variables.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { printResult } from "../../terminal/print-result.ts";
import { readMail } from "../serve/mail.ts";
import { readRtrRoot } from "../serve/rtr-root.ts";
import type { ServeOptions } from "../serve/serve-options.ts";
import { openTls } from "../serve/tls.ts";

export function addCheckCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("check")
    .summary("check the settings without starting anything")
    .description(
      "Check secplat.yaml, the variables and the options of `secplat serve`: names, values, and those that need each " +
        "other. Each problem has its line and column.",
    );
  addSettings(command, settings)
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples("secplat config check", "secplat config check --config /etc/secplat/secplat.yaml"),
    )
    .action(async (options: ServeOptions) => {
      refuseUnknownVariables(context);
      databaseUrl(options, context);
      openFiles(options, context);
      readMail(options);
      readRtrRoot(options, context);
      // Without a certificate of the operator, a server makes one.
      if (options.tlsCert !== undefined || options.tlsKey !== undefined) {
        await openTls(options, context);
      }
      const file = settingsFileOf(options.config, context);
      const count = file === null ? 0 : readSettings(file).size;
      printResult(context, options, { file: file?.path ?? null, settings: count }, () =>
        file === null
          ? "there is no secplat.yaml; the other settings are valid\n"
          : `${file.name} is valid: ${count} ${count === 1 ? "setting" : "settings"}\n`,
      );
    });
}
