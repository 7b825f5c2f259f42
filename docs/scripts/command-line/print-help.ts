/**
 * Prints what `--help` says of every command, as JSON. A program of its own: help is laid out for
 * the terminal it is printed on, and here there must be none.
 */
import { run } from "secplat";
import type { CommandHelp } from "./page.ts";

async function helpOf(words: readonly string[]): Promise<string> {
  let text = "";
  const output = { write: (part: string) => (text += part) };
  const surroundings = { stdout: output, stderr: output, environment: {}, workingFolder: "." };
  const exitCode = await run([...words, "--help"], surroundings);
  if (exitCode !== 0) throw new Error(`secplat ${words.join(" ")} --help failed:\n${text}`);
  return text.trim();
}

/** The names under `Commands:`; that of the help command itself tells nothing. */
function commandsIn(help: string): readonly string[] {
  const [, list = ""] = help.split(/^Commands:$/m);
  const [first = ""] = list.trimStart().split(/\n\n/);
  return [...`  ${first}`.matchAll(/^ {2}([a-z]\S*)/gm)]
    .flatMap(([, name]) => name ?? [])
    .filter((name) => name !== "help");
}

async function collect(words: readonly string[]): Promise<readonly CommandHelp[]> {
  const help = await helpOf(words);
  const nested = [];
  for (const name of commandsIn(help)) nested.push(...(await collect([...words, name])));
  return [{ words, help }, ...nested];
}

process.stdout.write(JSON.stringify(await collect([])));
