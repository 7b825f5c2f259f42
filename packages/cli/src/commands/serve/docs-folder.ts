import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { packedDocs } from "../../places.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";

/** The site to serve: the --docs folder, the packaged site, or none. */
export function docsFolder(
  option: boolean | string | undefined,
  { workingFolder }: CliContext,
): string | null {
  if (option === false) return null;
  if (typeof option !== "string") return holdsSite(packedDocs) ? packedDocs : null;
  const folder = resolve(workingFolder, option);
  if (holdsSite(folder)) return folder;
  throw new CommandError(
    `--docs: ${folder} contains no index.html; expected the folder of a built documentation site`,
    exitCodes.usage,
  );
}

const holdsSite = (folder: string): boolean => existsSync(join(folder, "index.html"));
