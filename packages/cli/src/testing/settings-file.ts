import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { commandLine, type CommandLine } from "./command-line.ts";

interface Row {
  readonly setting: string;
  readonly value: unknown;
  readonly from: string;
}

/** A folder with a file of settings. */
export function withFile(
  text: string,
  environment: Readonly<Record<string, string>> = {},
  name = "secplat.yaml",
): CommandLine {
  const command = commandLine({ environment });
  writeFileSync(join(command.folder, name), text);
  for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
  return command;
}

/** The value and the origin of each setting that `secplat config print` shows. */
export async function printed(command: CommandLine, ...words: readonly string[]) {
  const rows = await command.json<readonly Row[]>(["config", "print", ...words]);
  return (name: string) => {
    const row = rows.find(({ setting }) => setting === name);
    return [row?.value, row?.from];
  };
}

/** The problems that `secplat config check` finds in a file. */
export const checked = async (text: string): Promise<string> => {
  const { exitCode, stderr } = await withFile(text)(["config", "check"]);
  expect(exitCode).not.toBe(0);
  return stderr;
};
