import { resolve } from "node:path";
import { holdsSite } from "@security-platform/server/internal";
import { packedDocs } from "../../places.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";

/** What to do about a site that cannot be read. */
export const cureOfDocs =
  "install the package again; if npx started it, delete the folder of the package first; in a clone, run npm run build";

/** The site to serve: the --docs folder, the packaged site, or none. If the packaged site is missing, the server says so. */
export function docsFolder(
  option: boolean | string | undefined,
  { workingFolder }: CliContext,
): string | null {
  if (option === false) return null;
  if (typeof option !== "string") return packedDocs;
  const folder = resolve(workingFolder, option);
  if (holdsSite(folder)) return folder;
  throw new CommandError(
    `--docs: ${folder} contains no index.html; expected the folder of a built documentation site`,
    exitCodes.usage,
  );
}
