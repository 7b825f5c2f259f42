import type { CalledOperation } from "@security-platform/spec";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { readBody } from "./body.ts";
import type { Flag } from "./flags.ts";
import { listedIds, readIds } from "./ids.ts";
import type { Input } from "./method-of.ts";
import type { RequestOptions } from "./request-options.ts";

/** The input of a call from the options of its command. Throws a `CommandError` for what is missing or invalid. */
export async function readInput(
  operation: CalledOperation,
  flags: readonly Flag[],
  options: RequestOptions,
  context: CliContext,
): Promise<Input> {
  const { idsFrom, body: file, set: assignments = [] } = options;
  if ([idsFrom, file].every((source) => source === "-")) {
    throw new CommandError(
      "--ids-from and --body cannot both read standard input",
      exitCodes.usage,
    );
  }
  const parameters: Record<string, unknown> = {};
  const members: Record<string, unknown> = {};
  const values = options as Readonly<Record<string, unknown>>;
  for (const { option, target, name } of flags) {
    const value = values[option.attributeName()];
    if (value !== undefined) (target === "parameter" ? parameters : members)[name] = value;
  }
  const list = listedIds(operation);
  if (idsFrom !== undefined && list !== undefined) {
    const ids = await readIds(idsFrom, context);
    const into = list.place === "parameter" ? parameters : members;
    into[list.name] = [...((into[list.name] as readonly unknown[] | undefined) ?? []), ...ids];
  }
  const missing = flags.find(
    ({ target, name, required }) =>
      target === "parameter" && required && parameters[name] === undefined,
  );
  if (missing !== undefined) {
    throw new CommandError(`${missing.option.flags} is required`, exitCodes.usage);
  }
  const body = await readBody(operation, { file, assignments, members }, context);
  return { ...parameters, ...(body === undefined ? {} : { body }) };
}

/** The input in parts, of which each has at most as many ids as one request may have. */
export function inParts(operation: CalledOperation, input: Input): readonly Input[] {
  const list = listedIds(operation);
  if (list === undefined) return [input];
  const { name, place, maximum } = list;
  const holder = (place === "parameter" ? input : input.body) as Readonly<Record<string, unknown>>;
  const ids = holder[name];
  if (!Array.isArray(ids) || ids.length <= maximum) return [input];
  const starts = Array.from(
    { length: Math.ceil(ids.length / maximum) },
    (_, part) => part * maximum,
  );
  return starts.map((start) => {
    const part = { ...holder, [name]: ids.slice(start, start + maximum) };
    return place === "parameter" ? part : { ...input, body: part };
  });
}
