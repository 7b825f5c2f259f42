import type { CalledOperation } from "@security-platform/spec";
import { readLines } from "../input/lines.ts";
import { openInput } from "../input/open-input.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { hasType, isScalar, resolved, type Schema } from "./schema.ts";

/** The list of ids of an operation. */
export interface ListedIds {
  readonly name: string;
  readonly place: "parameter" | "body";
  /** Maximum number of ids in one request. */
  readonly maximum: number;
}

/** The list that `--ids-from` fills: `ids`, or else the only list of scalars among the parameters. */
export function listedIds({ parameters, requestBody }: CalledOperation): ListedIds | undefined {
  const lists = parameters
    .map(({ name, schema }) => ({ name, schema: resolved(schema) }))
    .filter(({ schema }) => hasType(schema, "array"));
  const parameter =
    lists.find(({ name }) => name === "ids") ?? (lists.length === 1 ? lists[0] : undefined);
  if (parameter !== undefined) {
    return { name: parameter.name, place: "parameter", maximum: maximumOf(parameter.schema) };
  }
  const member = resolved(resolved(requestBody?.schema).properties?.["ids"]);
  return hasType(member, "array") && isScalar(resolved(member.items))
    ? { name: "ids", place: "body", maximum: maximumOf(member) }
    : undefined;
}

const maximumOf = ({ maxItems = Infinity }: Schema): number => maxItems;

/** The ids in a file: one a line, without empty lines. */
export async function readIds(file: string, context: CliContext): Promise<readonly string[]> {
  const { name, chunks } = openInput(file, context);
  const ids: string[] = [];
  for await (const line of readLines(chunks, { name })) {
    const id = line.trim();
    if (id !== "") ids.push(id);
  }
  if (ids.length > 0) return ids;
  throw new CommandError(`${name} has no ids; nothing was sent`, exitCodes.usage);
}
