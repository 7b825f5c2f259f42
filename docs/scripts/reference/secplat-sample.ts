import type { CommandInfo } from "./command-info.ts";
import { quote } from "./curl.ts";
import type { SampleInput } from "./sample-input.ts";

/** A command line that calls an operation, with what it reads. */
export interface SecplatSample {
  readonly words: readonly string[];
  /** The body on standard input; null if flags hold all of it. */
  readonly body: unknown;
  /** The files that it uploads, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** Throws for a parameter without a flag. */
export function secplatSample(command: CommandInfo, input: SampleInput): SecplatSample {
  const words = [...command.words];
  const files: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...input.path, ...input.query, ...input.headers })) {
    const flag = command.parameters[name];
    if (flag === undefined) throw new Error(`${command.words.join(" ")}: ${name} has no flag`);
    words.push(flag, ...[value].flat().map(String));
  }
  const body = input.body?.value;
  const fitsFlags =
    isObject(body) && Object.keys(body).every((name) => command.members[name] !== undefined);
  if (fitsFlags) {
    for (const [name, value] of Object.entries(body)) {
      const isFile = input.body?.files.includes(name) === true;
      if (isFile) files["example.txt"] = String(value);
      words.push(
        command.members[name] ?? "",
        ...[isFile ? "example.txt" : value].flat().map(String),
      );
    }
  } else if (body !== undefined) words.push("--body", "-");
  if (command.isDestructive) words.push("--yes");
  return { words, body: fitsFlags ? null : (body ?? null), files };
}

/** The sample as a command of a shell. */
export function secplatCommand({ words, body }: SecplatSample): string {
  const lines: string[] = [];
  for (const word of ["npx secplat", ...words]) {
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
