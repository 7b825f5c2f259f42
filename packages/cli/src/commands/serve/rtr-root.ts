import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ServerConfig } from "@security-platform/server/internal";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import type { ServeOptions } from "./serve-options.ts";

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
