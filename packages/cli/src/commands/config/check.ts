import type { Command } from "commander";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { reportProblems } from "../../settings/apply-settings.ts";
import { readSettings } from "../../settings/read-settings.ts";
import { addSettings } from "../../settings/setting.ts";
import { configOption, settingsFileOf } from "../../settings/settings-file.ts";
import { settings } from "../../settings/table.ts";
import { variableProblems } from "../../settings/variables.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import { printResult } from "../../terminal/print-result.ts";
import { optionProblems } from "../serve/check-options.ts";
import type { ServeOptions } from "../serve/serve-options.ts";

export function addCheckCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("check")
    .summary("check the settings without starting anything")
    .description(
      "Check secplat.yaml, the variables and the options of `secplat serve`: names, values, and those that need each " +
        "other. Each problem has its line and column.",
    );
  const problems = reportProblems(command, "options", "file");
  addSettings(command, settings)
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples("secplat config check", "secplat config check --config /etc/secplat/secplat.yaml"),
    )
    .action((options: ServeOptions) => {
      const wrong = new Set(problems.flatMap(({ setting }) => setting ?? []));
      const all = [
        ...variableProblems(context),
        ...problems.map(({ message }) => message),
        ...optionProblems(options, context, wrong).map(({ message }) => message),
      ];
      if (all.length > 0) throw new CommandError(all.join("\n"), exitCodes.usage);
      const file = settingsFileOf(options.config, context);
      const count = file === null ? 0 : readSettings(file).size;
      printResult(context, options, { file: file?.path ?? null, settings: count }, () =>
        file === null
          ? "there is no secplat.yaml; the other settings are valid\n"
          : `${file.name} is valid: ${count} ${count === 1 ? "setting" : "settings"}\n`,
      );
    });
}
