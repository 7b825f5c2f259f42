import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import type { CalledOperation, JsonSchema } from "@security-platform/spec";
import { openInput } from "../input/open-input.ts";
import { describeError } from "../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { memberOf, problemOf, valueOf } from "./check-value.ts";
import { hasType, resolved, type Schema } from "./schema.ts";

/** A larger body is refused by servers with the usual limits. */
const maximumBytes = 64 * 1024 * 1024;

const usage = (message: string): CommandError => new CommandError(message, exitCodes.usage);

export interface BodySources {
  /** `--body`: JSON, or a file; `-` is standard input. */
  readonly file?: string | undefined;
  /** The assignments of `--set`, in their order. */
  readonly assignments: readonly string[];
  /** Members by name, from flags. */
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * The body of a call: the file, changed by the assignments and the flags. Undefined if there is none of them.
 * Throws a `CommandError` that names the place of the first problem.
 */
export async function readBody(
  { requestBody }: CalledOperation,
  { file, assignments, members }: BodySources,
  context: CliContext,
): Promise<unknown> {
  const isGiven = file !== undefined || assignments.length > 0 || Object.keys(members).length > 0;
  if (requestBody === undefined || !isGiven) {
    if (requestBody?.required === true) {
      throw usage("the body is missing; set it with options, --set, or --body <file>");
    }
    if (isGiven) throw usage("the operation does not accept a body");
    return undefined;
  }
  let body: unknown = file === undefined ? {} : await readGiven(file, context);
  for (const assignment of assignments) body = assign(body, assignment, requestBody.schema);
  if (Object.keys(members).length > 0) body = { ...(body as object), ...members };
  const problem = problemOf(requestBody.schema, body, "body");
  if (problem !== undefined) throw usage(problem);
  return body;
}

/** The body itself, if it starts as JSON does and there is no such file; otherwise a file. */
async function readGiven(text: string, context: CliContext): Promise<unknown> {
  if (!isInline(text, context)) return readDocument(text, context);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`--body is not JSON: ${describeError(error)}`);
  }
}

export const isInline = (text: string, { workingFolder }: CliContext): boolean =>
  /^\s*[[{]/.test(text) && !existsSync(resolve(workingFolder, text));

/** One JSON or YAML document. Standard input may be either: YAML contains JSON. */
export async function readDocument(file: string, context: CliContext): Promise<unknown> {
  const { name, text } = await readText(file, context);
  if (extname(file).toLowerCase() === ".json") {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw usage(`${name} is not JSON: ${describeError(error)}`);
    }
  }
  // The parser takes long to load.
  const { readYaml } = await import("../input/read-yaml.ts");
  const read = readYaml(text);
  if ("value" in read) return read.value;
  throw usage(`${name} is neither JSON nor YAML: ${read.message}`);
}

export async function readText(
  file: string,
  context: CliContext,
): Promise<{ readonly name: string; readonly text: string }> {
  const { name, chunks } = openInput(file, context);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes > maximumBytes) throw usage(`${name} is larger than 64 MiB`);
  }
  try {
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts)) };
  } catch {
    throw usage(`${name} is not valid UTF-8`);
  }
}

/**
 * `indicators.0.type=domain` or `indicators[0].type=domain` sets a member by its path; numbers are places in lists. The value has the type
 * that the document says; `path:=value` takes JSON.
 */
function assign(body: unknown, assignment: string, reference: JsonSchema): unknown {
  const match = /^(?<path>[^=]*?)(?<json>:?)=(?<text>.*)$/s.exec(assignment)?.groups;
  if (match?.["path"] === undefined || match["path"] === "") {
    throw usage(
      `--set cannot be '${assignment}'. Expected a path and a value such as indicators.0.type=domain.`,
    );
  }
  const { path, json, text = "" } = match;
  // As in other tools: `indicators[0].type`.
  const steps = path
    .replaceAll(/\[(\d+)\]/g, ".$1")
    .replace(/^\./, "")
    .split(".");
  return setAt(body, steps, resolved(reference), "body", (schema, place) => {
    if (json === "") return valueOf(schema, text);
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      throw usage(`--set: the value of ${place} is not JSON: ${describeError(error)}`);
    }
  });
}

function setAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  reference: Schema,
  place: string,
  read: (schema: Schema, place: string) => unknown,
): unknown {
  if (step === undefined) return read(reference, place);
  const schema = alternativeOf(reference, /^\d+$/.test(step) ? "array" : "object");
  const inner = `${place}.${step}`;
  if (/^\d+$/.test(step) && (Array.isArray(value) || schema.properties === undefined)) {
    const list = Array.isArray(value) ? [...(value as unknown[])] : [];
    const index = Number(step);
    if (index > list.length) {
      throw usage(`--set: ${inner} leaves a gap; the next entry is ${place}.${list.length}`);
    }
    list[index] = setAt(list[index], rest, resolved(schema.items), inner, read);
    return list;
  }
  let member: Schema;
  try {
    member = memberOf(schema, step, place);
  } catch (error) {
    throw usage(`--set: ${describeError(error)}`);
  }
  const object = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return { ...object, [step]: setAt(object[step], rest, member, inner, read) };
}

/** The alternative of this type, if the schema has several. */
function alternativeOf(schema: Schema, type: string): Schema {
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []).map(resolved);
  return alternatives.find((each) => hasType(each, type)) ?? schema;
}
