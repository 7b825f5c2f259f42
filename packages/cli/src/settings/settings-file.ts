import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Option } from "commander";
import { readText } from "../options/read-text.ts";
import type { CliContext } from "../terminal/cli-context.ts";

const defaultFile = "secplat.yaml";
const variable = "SECPLAT_CONFIG";

/** `--config`, the same on every command that reads settings. */
export const configOption = (): Option =>
  new Option(
    "--config <file>",
    "file of settings (default: secplat.yaml in the working folder, if it exists)",
  )
    .env(variable)
    .argParser(readText("a file"))
    .helpGroup("Settings:");

/** A file of settings, with its name for messages. */
export interface SettingsFile {
  readonly name: string;
  readonly path: string;
}

/** The file that the option or the variable names, or the one in the working folder; null if there is none. */
export function settingsFileOf(
  named: string | undefined,
  { environment, workingFolder }: Pick<CliContext, "environment" | "workingFolder">,
): SettingsFile | null {
  const name = named ?? environment[variable] ?? defaultFile;
  const path = resolve(workingFolder, name);
  // A named file must exist, which reading it shows.
  return name === defaultFile && !existsSync(path) ? null : { name, path };
}
