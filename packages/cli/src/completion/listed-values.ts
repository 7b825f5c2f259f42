import { resolve } from "node:path";
import type { Command } from "commander";
import { findServer } from "../api/running-server.ts";
import type { CliContext } from "../terminal/cli-context.ts";

/** Makes the program that runs these words. */
export type ProgramFor = (words: readonly string[], context: CliContext) => Promise<Command>;

/** Options that say which database and which tenant a command is about. */
const passedOn: ReadonlySet<string> = new Set(["data", "database", "secretsKey", "tenant"]);

/**
 * What a list command prints with `--json` for the database of the line. Empty unless a server runs on its data
 * folder: a key press may not upgrade a database of an earlier version.
 */
export async function listedRecords(
  list: readonly string[],
  options: Readonly<Record<string, string>>,
  context: CliContext,
  programFor: ProgramFor,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { environment, workingFolder } = context;
  const data = options["data"] ?? environment["SECPLAT_DATA"] ?? ".data";
  if (findServer(resolve(workingFolder, data)) === undefined) return [];
  let text = "";
  const program = await programFor(list, {
    ...context,
    stdout: { write: (content) => (text += String(content)) },
    stderr: { write: () => true },
  });
  const command = list.reduce<Command | undefined>(
    (parent, name) => parent?.commands.find((each) => each.name() === name),
    program,
  );
  const words = (command?.options ?? []).flatMap((option) => {
    const value = options[option.attributeName()];
    return value === undefined || !passedOn.has(option.attributeName())
      ? []
      : [`${option.long}=${value}`];
  });
  await program.parseAsync([...list, "--json", ...words], { from: "user" });
  return JSON.parse(text) as readonly Readonly<Record<string, unknown>>[];
}
