import type { Command, Option } from "commander";
import type { CliContext } from "../terminal/cli-context.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { printable } from "../terminal/printable.ts";
import type { FileSettings, SettingProblem } from "./read-settings.ts";
import { problemsOf } from "./setting.ts";
import { settingsFileOf } from "./settings-file.ts";

/** Where a problem was found. */
type Source = "file" | "options";

interface Reported {
  readonly sources: readonly Source[];
  readonly problems: SettingProblem[];
}

const reported = new WeakMap<Command, Reported>();

/** Lets a command report problems of its settings itself; without this, they end it before its action. */
export function reportProblems(
  command: Command,
  ...sources: readonly Source[]
): readonly SettingProblem[] {
  const problems: SettingProblem[] = [];
  reported.set(command, { sources, problems });
  return problems;
}

/**
 * Completes the options of a command: switches from their variables, and all that neither the command line nor a variable
 * sets from the file of settings. Throws a `CommandError` with all problems.
 */
export async function applySettings(command: Command, context: CliContext): Promise<void> {
  const found = {
    options: [...wrongOptions(command), ...readSwitches(command)],
    file: await applyFile(command, context),
  };
  const { sources = [], problems = [] } = reported.get(command) ?? {};
  const refused: string[] = [];
  for (const source of ["options", "file"] as const) {
    if (sources.includes(source)) problems.push(...found[source]);
    else refused.push(...found[source].map(({ message }) => message));
  }
  if (refused.length === 0) return;
  const help = found.options.length === 0 ? "" : " (--help lists the options)";
  throw new CommandError(`${refused.join("\n")}${help}`, exitCodes.usage);
}

/** The values that the options refused while the command line was parsed. */
const wrongOptions = (command: Command): readonly SettingProblem[] =>
  command.options.flatMap((option) =>
    problemsOf(option, placeOf(option, command)).map((message) => ({
      setting: option.name(),
      message,
    })),
  );

const placeOf = (option: Option, command: Command): string =>
  command.getOptionValueSource(option.attributeName()) === "env"
    ? (option.envVar ?? option.name())
    : `--${option.name()}`;

async function applyFile(
  command: Command,
  context: CliContext,
): Promise<readonly SettingProblem[]> {
  const variables = command.options.flatMap(({ envVar }) => envVar ?? []);
  if (variables.length === 0) return [];
  const file = settingsFileOf(command.opts<{ config?: string }>().config, context);
  // The table loads parts of the server, which most commands run without.
  const content = file === null ? nothing : await parse(file);
  if (content.values.size > 0) await applyValues(command, content, variables);
  command.setOptionValue("settingsFrom", placesOf(command, content));
  const database = placeOfDatabase(command, content);
  if (database !== null) command.setOptionValue("databaseFrom", database);
  return content.problems;
}

const nothing: FileSettings = { values: new Map(), problems: [] };

async function parse(file: NonNullable<ReturnType<typeof settingsFileOf>>): Promise<FileSettings> {
  const { parseSettings } = await import("./read-settings.ts");
  return parseSettings(file);
}

async function applyValues(
  command: Command,
  { values }: FileSettings,
  variables: readonly string[],
): Promise<void> {
  const [{ settings }, { attributeOf, variablesOf }] = await Promise.all([
    import("./table.ts"),
    import("./setting.ts"),
  ]);
  for (const setting of settings) {
    const found = values.get(setting.name);
    const attribute = attributeOf(setting);
    const isOption = variablesOf(setting).some((variable) => variables.includes(variable));
    const source = command.getOptionValueSource(attribute) ?? "default";
    if (found === undefined || !isOption || source !== "default") continue;
    command.setOptionValueWithSource(attribute, found.value, "config");
  }
}

/** The variables, and the places in the file, that values come from, by the names of their settings. */
const placesOf = (command: Command, { values }: FileSettings): Readonly<Record<string, string>> =>
  Object.fromEntries(
    command.options.flatMap((option) => {
      const attribute = option.attributeName();
      const source = command.getOptionValueSource(attribute);
      // The value of an option that its `--no-…` did not turn off is from the variable beside it.
      if (option.negate && command.getOptionValue(attribute) !== false) return [];
      const name = option.long?.replace(/^--(no-)?/, "") ?? "";
      const place = source === "config" ? values.get(name)?.place : option.envVar;
      return (source === "config" || source === "env") && place !== undefined
        ? [[name, place]]
        : [];
    }),
  );

/** The variable or the place in the file that chooses the database; null if a flag or the default does. */
function placeOfDatabase(command: Command, { values }: FileSettings): string | null {
  for (const name of ["database", "data"]) {
    const option = command.options.find((each) => each.name() === name);
    const source = command.getOptionValueSource(name) ?? "default";
    if (option === undefined || source === "default") continue;
    if (source === "config") return `${name} in ${values.get(name)?.place ?? "the file"}`;
    return source === "env" ? (option.envVar ?? null) : null;
  }
  return null;
}

/** The parser of the command line sees only whether the variable of a switch exists. */
function readSwitches(command: Command): readonly SettingProblem[] {
  const problems: SettingProblem[] = [];
  for (const option of command.options) {
    const { envVar } = option;
    const attribute = option.attributeName();
    if (envVar === undefined || option.required || option.optional) continue;
    const text = process.env[envVar];
    if (text === undefined || command.getOptionValueSource(attribute) !== "env") continue;
    const isOn = switchValues[text];
    if (isOn === undefined) {
      const message = `${envVar} cannot be '${printable(text)}'. Expected true or false.`;
      problems.push({ setting: attribute, message });
    } else if (!isOn && command.getOptionValue(attribute) === !option.negate) {
      command.setOptionValueWithSource(attribute, offValue(option, command), "env");
    }
  }
  return problems;
}

/** The value of an option whose switch is off: that of the variable beside `--no-…`, if it is set. */
function offValue({ negate, long }: Option, command: Command): unknown {
  const beside = command.options.find(
    (each) => negate && each.long === long?.replace("--no-", "--"),
  );
  const text = process.env[beside?.envVar ?? ""];
  return text === undefined ? negate : (beside?.parseArg?.(text, undefined as never) ?? text);
}

const switchValues: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  false: false,
  0: false,
};
