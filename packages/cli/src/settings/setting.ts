import { Option, type Command } from "commander";
import { offering, offerOf } from "../options/offer.ts";
import { readValue } from "./read-value.ts";
import type { Setting, SwitchSetting } from "./setting-types.ts";

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
