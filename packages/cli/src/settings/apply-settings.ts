import type { Command } from "commander";
import type { CliContext } from "../terminal/cli-context.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { settingsFileOf } from "./settings-file.ts";

/**
 * Completes the options of a command: switches from their variables, and all that neither the command line nor a variable
 * sets from the file of settings.
 */
export async function applySettings(command: Command, context: CliContext): Promise<void> {
  readSwitches(command);
  const variables = command.options.flatMap(({ envVar }) => envVar ?? []);
  if (variables.length === 0) return;
  const file = settingsFileOf(command.opts<{ config?: string }>().config, context);
  if (file === null) return;
  // The table loads parts of the server, which most commands run without.
  const [{ readSettings }, { settings }, { attributeOf, variablesOf }] = await Promise.all([
    import("./read-settings.ts"),
    import("./table.ts"),
    import("./setting.ts"),
  ]);
  const values = readSettings(file);
  for (const setting of settings) {
    const found = values.get(setting.name);
    const attribute = attributeOf(setting);
    const isOption = variablesOf(setting).some((variable) => variables.includes(variable));
    const source = command.getOptionValueSource(attribute) ?? "default";
    if (found === undefined || !isOption || source !== "default") continue;
    command.setOptionValueWithSource(attribute, found.value, "config");
  }
}

/** The parser of the command line sees only whether the variable of a switch exists. */
function readSwitches(command: Command): void {
  for (const option of command.options) {
    const { envVar } = option;
    const attribute = option.attributeName();
    if (envVar === undefined || option.required || option.optional) continue;
    const text = process.env[envVar];
    if (text === undefined || command.getOptionValueSource(attribute) !== "env") continue;
    const isOn = switchValues[text];
    if (isOn === undefined) {
      throw new CommandError(
        `${envVar} cannot be '${text}'. Expected true or false.`,
        exitCodes.usage,
      );
    }
    if (!isOn && command.getOptionValue(attribute) === !option.negate) {
      command.setOptionValueWithSource(attribute, option.negate, "env");
    }
  }
}

const switchValues: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  false: false,
  0: false,
};
