import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ServerConfig } from "@security-platform/server/internal";
import { Option, type Command } from "commander";
import { readText } from "../../options/read-text.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import type { ServeOptions } from "./serve-options.ts";

/** Adds the option `--rtr-root`. */
export const addRtrRootOption = (command: Command): Command =>
  command.addOption(
    new Option(
      "--rtr-root <folder>",
      "folder with a subfolder for each host, named by host id; files for cases are fetched from it. " +
        "Files that sessions fetched earlier are in sessions/<session>/<host>/<sha256>/ " +
        "(default: none, and requested files wait)",
    )
      .env("SECPLAT_RTR_ROOT")
      .argParser(readText("a folder")),
  );

/** The folder of hosts, relative to the working folder. */
export function readRtrRoot(
  { rtrRoot }: Pick<ServeOptions, "rtrRoot">,
  { workingFolder }: Pick<CliContext, "workingFolder">,
): Pick<ServerConfig, "rtrRoot"> {
  if (rtrRoot === undefined) return {};
  const folder = resolve(workingFolder, rtrRoot);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) {
    return { rtrRoot: folder };
  }
  throw new CommandError(`--rtr-root: there is no folder ${folder}`, exitCodes.usage);
}
