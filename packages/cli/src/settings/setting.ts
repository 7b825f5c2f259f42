import { Option, type Command } from "commander";
import { offering, offerOf } from "../options/offer.ts";
import { readValue } from "./read-value.ts";

type Parser = (text: string, before: never) => unknown;

interface Common {
  /** The key in `secplat.yaml`, and the flag without its dashes. */
  readonly name: string;
  readonly about: string;
  /** Heading in the help. */
  readonly group?: string;
}

interface Valued extends Common {
  /** What stands for the value in the help, such as a unit. */
  readonly value: string;
}

export interface IntegerSetting extends Valued {
  readonly type: "integer";
  readonly minimum: number;
  readonly maximum: number;
  readonly default?: number;
  readonly read: Parser;
}

export interface TextSetting extends Valued {
  readonly type: "text";
  readonly default?: string;
  readonly choices?: readonly string[];
  /** Throws `InvalidArgumentError`. Absent: the command reads it, and `problem` is its problem. */
  readonly read?: Parser;
  readonly problem?: (text: string, name: string) => string | null;
  /** Whether a value may have a password. Errors do not show it, and `secplat config print` only its harmless parts. */
  readonly isSecret?: true;
  /** What `false` does, and `--no-<name>`. Absent: there is no such value. */
  readonly off?: string;
}

/** Repeated flags are combined. A variable has several values, separated by commas. */
export interface ListSetting extends Valued {
  readonly type: "list";
  readonly read: Parser;
}

export interface SwitchSetting extends Common {
  readonly type: "switch";
  /** The flag of a switch that is on by default is `--no-<name>`. */
  readonly default: boolean;
  /** The flag alone has another name as well. */
  readonly alias?: string;
}

export type Setting = IntegerSetting | TextSetting | ListSetting | SwitchSetting;

/** The options of a setting; the first one names its variable. */
export function optionsOf(setting: Setting): readonly Option[] {
  const { name, about, group } = setting;
  const grouped = (option: Option): Option =>
    group === undefined ? option : option.helpGroup(group);
  if (setting.type === "switch") {
    const flag = new Option(setting.default ? `--no-${name}` : `--${name}`, about);
    const { alias } = setting;
    return [
      grouped(flag.env(variableOf(flag))),
      ...(alias === undefined ? [] : [grouped(new Option(`--${alias}`, `same as --${name}`))]),
    ];
  }
  const option = new Option(`--${name} <${setting.value}>`, about);
  option.env(variableOf(option));
  keepProblems(option, setting);
  if ("default" in setting && setting.default !== undefined) option.default(setting.default);
  if (setting.type !== "text" || setting.off === undefined) return [grouped(option)];
  const off = new Option(`--no-${name}`, setting.off);
  return [grouped(option), grouped(off.env(variableOf(off)))];
}

const problems = new WeakMap<Option, ((place: string) => string)[]>();

/** Lets an option note the values that it refuses: the parser of the command line would stop at the first one. */
function keepProblems(option: Option, setting: Exclude<Setting, SwitchSetting>): void {
  const found: ((place: string) => string)[] = [];
  problems.set(option, found);
  const parser = (text: string, before: unknown): unknown => {
    const read = readValue(setting, text, before);
    if ("value" in read) return read.value;
    found.push(read.problem);
    return before;
  };
  const offer = offerOf(setting.read);
  option.argParser(offer === undefined ? parser : offering(parser, offer));
}

/** What is wrong with the values that an option was given at `place`, a flag or a variable. */
export const problemsOf = (option: Option, place: string): readonly string[] =>
  (problems.get(option) ?? []).map((describe) => describe(place));

const variableOf = (option: Option): string =>
  `SECPLAT_${option.name().toUpperCase().replaceAll("-", "_")}`;

export const variablesOf = (setting: Setting): readonly string[] =>
  optionsOf(setting).flatMap(({ envVar }) => envVar ?? []);

/** The flags of a setting without the names of values. */
export const flagsOf = (setting: Setting): readonly string[] =>
  optionsOf(setting).map(({ flags }) => flags.replace(/ .*$/s, ""));

/** The name of the value in the options of a command. */
export const attributeOf = (setting: Setting): string =>
  optionsOf(setting)[0]?.attributeName() ?? setting.name;

/** Adds the options of settings to a command, in their order. */
export function addSettings(command: Command, settings: readonly Setting[]): Command {
  for (const setting of settings) {
    for (const option of optionsOf(setting)) command.addOption(option);
  }
  return command;
}
