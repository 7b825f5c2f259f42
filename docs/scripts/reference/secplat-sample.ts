import type { Operation } from "@security-platform/spec";
import { optionsOf } from "../../../packages/cli/src/calls/add-operation-command.ts";
import { commandOf, operationOf } from "../../../packages/cli/src/calls/operations.ts";
import { isDestructive } from "../../../packages/cli/src/calls/request-options.ts";
import { quote } from "./curl.ts";
import { sampleInput } from "./sample-input.ts";

/** A command line that calls an operation, with what it reads. */
export interface SecplatSample {
  readonly words: readonly string[];
  /** The body on standard input; null if flags hold all of it. */
  readonly body: unknown;
  /** The files that it uploads, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** Null for an operation without a command: the companion operations, and those of the token. */
export function secplatSample(operation: Operation): SecplatSample | null {
  if (operation.document !== "platform" || operation.scope === null) return null;
  const called = operationOf(operation.id);
  const { flags } = optionsOf(called);
  const input = sampleInput(operation);
  const words = commandOf(called).split(" ");
  const files: Record<string, string> = {};
  const add = (target: "parameter" | "body", name: string, value: unknown): boolean => {
    const isLimit = target === "parameter" && name === "limit" && called.paging !== "none";
    const long = isLimit
      ? "--limit"
      : flags.find((flag) => flag.target === target && flag.name === name)?.option.long;
    if (long === undefined || long === null) return false;
    words.push(long, ...[value].flat().map(String));
    return true;
  };
  for (const [name, value] of Object.entries({ ...input.path, ...input.query, ...input.headers })) {
    if (!add("parameter", name, value)) throw new Error(`${operation.id}: ${name} has no flag`);
  }
  const body = input.body?.value;
  const members = isObject(body) ? Object.entries(body) : [];
  const fitsFlags =
    isObject(body) &&
    members.every(([name]) => flags.some((flag) => flag.target === "body" && flag.name === name));
  if (fitsFlags) {
    for (const [name, value] of members) {
      const isFile = input.body?.files.includes(name) === true;
      if (isFile) files["example.txt"] = String(value);
      add("body", name, isFile ? "example.txt" : value);
    }
  } else if (body !== undefined) words.push("--body", "-");
  if (isDestructive(called)) words.push("--yes");
  return { words, body: fitsFlags ? null : (body ?? null), files };
}

/** The sample as a command of a shell. */
export function secplatCommand({ words, body }: SecplatSample): string {
  const lines: string[] = [];
  for (const word of ["secplat", ...words]) {
    const last = lines.length - 1;
    if (lines.length === 0) lines.push(word);
    else if (word.startsWith("--")) lines.push(word);
    else lines[last] = `${lines[last]} ${quote(word)}`;
  }
  const command = lines.join(" \\\n  ");
  const flat = lines.join(" ");
  const shown = flat.length <= 88 ? flat : command;
  return body === null ? shown : `${shown} <<'JSON'\n${JSON.stringify(body, null, 2)}\nJSON`;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
