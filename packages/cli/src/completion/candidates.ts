import type { Argument, Command, Option } from "commander";
import type { CliContext } from "../terminal/cli-context.ts";
import { listedRecords, type ProgramFor } from "./listed-values.ts";
import { offerOf, type TypedLine } from "../options/offer.ts";

export interface Candidate {
  readonly value: string;
  /** One line of text, for shells that show a description. */
  readonly description: string;
}

/** What a word can become. */
export interface Candidates {
  readonly candidates: readonly Candidate[];
  /** Whether the word is the path of a file, which the shell completes itself. */
  readonly files: boolean;
}

const nothing: Candidates = { candidates: [], files: false };

/** What the words before the cursor mean. */
interface Position {
  readonly command: Command;
  /** Number of arguments so far. */
  readonly count: number;
  /** The option whose value comes next. */
  readonly pending: Option | undefined;
  readonly options: Readonly<Record<string, string>>;
  readonly used: ReadonlySet<Option>;
  /** Whether the word comes after `--`, where there are no options. */
  readonly isPlain: boolean;
}

/**
 * What the last of `words` can become, after `secplat`. `program` has the commands that these words can name,
 * and the options of the command that they do name.
 */
export async function candidatesFor(
  program: Command,
  words: readonly string[],
  context: CliContext,
  programFor: ProgramFor,
): Promise<Candidates> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const position = positionAfter(program, before[0] === "help" ? before.slice(1) : before);
  const { command, count, pending, options, isPlain } = position;
  const line: TypedLine = {
    context,
    options,
    listed: (list) => listedRecords(list, options, context, programFor),
  };
  const [, name, prefix = "", text = ""] = /^(--[\w-]+)(=)(.*)$/s.exec(typed) ?? [];
  if (name !== undefined && !isPlain) {
    const option = command.options.find((each) => each.long === name);
    if (option === undefined) return nothing;
    const { candidates, files } = await valuesOf(option, line);
    const whole = candidates.map((each) => ({ ...each, value: `${name}${prefix}${each.value}` }));
    return { candidates: startingWith(`${name}=${text}`, whole), files };
  }
  if (typed.startsWith("-") && !isPlain && (pending === undefined || isEnough(pending))) {
    return { candidates: startingWith(typed, optionsAt(position)), files: false };
  }
  if (pending !== undefined) {
    const { candidates, files } = await valuesOf(pending, line);
    return { candidates: startingWith(typed, candidates), files };
  }
  if (command.commands.length > 0) {
    // An unknown command is not followed by anything.
    if (count > 0) return nothing;
    const commands = command.commands.map((each) => ({
      value: each.name(),
      description: each.summary(),
    }));
    return { candidates: startingWith(typed, commands), files: false };
  }
  const { registeredArguments } = command;
  const argument =
    registeredArguments[count] ?? registeredArguments.findLast((each) => each.variadic);
  if (argument !== undefined) {
    const { candidates, files } = await valuesOf(argument, line);
    return { candidates: startingWith(typed, candidates), files };
  }
  // Nothing else is possible here.
  return typed === "" && !isPlain ? { candidates: optionsAt(position), files: false } : nothing;
}

function positionAfter(program: Command, words: readonly string[]): Position {
  let command = program;
  let count = 0;
  let pending: Option | undefined;
  let isPlain = false;
  const options: Record<string, string> = {};
  const used = new Set<Option>();
  const optionOf = (word: string): Option | undefined =>
    command.options.find(({ long, short }) => word === long || word === short);
  for (const word of words) {
    const isOption = !isPlain && word.startsWith("-") && word !== "-";
    if (pending !== undefined && !(isEnough(pending) && isOption)) {
      options[pending.attributeName()] = word;
      if (!pending.variadic) pending = undefined;
    } else if (word === "--" && !isPlain) {
      isPlain = true;
      pending = undefined;
    } else if (isOption) {
      const [name = "", ...rest] = word.split("=");
      const option = optionOf(name);
      const needsValue = option !== undefined && (option.required || option.optional);
      pending = needsValue && rest.length === 0 ? option : undefined;
      if (option !== undefined) used.add(option);
      if (option !== undefined && rest.length > 0) options[option.attributeName()] = rest.join("=");
    } else {
      const next = count === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (next === undefined) count += 1;
      else command = next;
    }
  }
  return { command, count, pending, options, used, isPlain };
}

/** Whether another option may follow instead of a value. */
const isEnough = ({ variadic, optional }: Option): boolean => variadic || optional;

function optionsAt({ command, used }: Position): readonly Candidate[] {
  const options = command.options
    .filter((option) => !option.hidden && (option.variadic || !used.has(option)))
    .flatMap(({ long, short, description }) =>
      // Some have two long names.
      [short, long]
        .filter((name) => name?.startsWith("--"))
        .map((name = "") => ({ value: name, description: firstLine(description) })),
    );
  return [...options, { value: "--help", description: "print this help" }];
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

async function valuesOf(target: Option | Argument, line: TypedLine): Promise<Candidates> {
  const placeholder = "flags" in target ? target.flags : target.name();
  const offer = offerOf(target.parseArg);
  const values = (await offer?.(line)) ?? [];
  const candidates = values.map((value) => ({ value, description: "" }));
  return { candidates, files: offer === undefined && /\b(file|folder|path)\b/.test(placeholder) };
}

const startingWith = (typed: string, candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter(({ value }) => value.startsWith(typed));
