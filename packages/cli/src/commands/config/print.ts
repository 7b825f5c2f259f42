import type { Command } from "commander";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { readSettings } from "../../settings/read-settings.ts";
import { addSettings, attributeOf, flagsOf, variablesOf } from "../../settings/setting.ts";
import type { Setting } from "../../settings/setting-types.ts";
import { configOption, settingsFileOf } from "../../settings/settings-file.ts";
import { settings } from "../../settings/table.ts";
import { withoutSecrets } from "../../settings/without-secrets.ts";
import { refuseUnknownVariables } from "../../settings/variables.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { printResult } from "../../terminal/print-result.ts";
import { formatTable } from "../../terminal/table.ts";
import type { ServeOptions } from "../serve/serve-options.ts";

export function addPrintCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("print")
    .summary("print each setting, and where it comes from")
    .description(
      "Print the settings that `secplat serve` would have with the same options, variables and file, and where each " +
        "comes from. Passwords are never printed.",
    );
  addSettings(command, settings)
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat config print", "secplat config print --port 9000"))
    .action((options: ServeOptions) => {
      refuseUnknownVariables(context);
      const file = settingsFileOf(options.config, context);
      const inFile = file === null ? null : readSettings(file);
      const rows = settings.map((setting) => ({
        setting: setting.name,
        value: shown(setting, command.getOptionValue(givenAs(setting, command))),
        from: originOf(setting, command, inFile?.get(setting.name)?.place),
      }));
      printResult(context, options, rows, () =>
        formatTable(
          ["setting", "value", "from"],
          rows.map(({ value, ...row }) => ({
            ...row,
            value: Array.isArray(value) ? value.join(",") : value,
          })),
        ),
      );
    });
}

/** The attribute that has the value: that of another name of the flag, if only this one was given. */
function givenAs(setting: Setting, command: Command): string {
  const attribute = attributeOf(setting);
  const alias = setting.type === "switch" ? setting.alias : undefined;
  return alias !== undefined && command.getOptionValueSource(alias) === "cli" ? alias : attribute;
}

function flagOf(setting: Setting, attribute: string, value: unknown): string {
  const [first = "", ...others] = flagsOf(setting);
  return (
    others.find(
      (flag) => flag === `--${attribute}` || (value === false && flag.startsWith("--no-")),
    ) ?? first
  );
}

function shown(setting: Setting, value: unknown): unknown {
  if (value === undefined) return setting.type === "switch" ? setting.default : null;
  return typeof value === "string" && "isSecret" in setting ? withoutSecrets(value) : value;
}

function originOf(setting: Setting, command: Command, place: string | undefined): string {
  const attribute = givenAs(setting, command);
  switch (command.getOptionValueSource(attribute)) {
    case "cli":
      return flagOf(setting, attribute, command.getOptionValue(attribute));
    case "env":
      return variableOf(setting, command.getOptionValue(attribute));
    case "config":
      return place ?? "file";
    default:
      return "default";
  }
}

/** The variable that a value comes from: of two that are set, the one that turns the setting off if it is off. */
function variableOf(setting: Setting, value: unknown): string {
  const set = variablesOf(setting).filter((variable) => process.env[variable] !== undefined);
  return (value === false ? set.at(-1) : set[0]) ?? "variable";
}
