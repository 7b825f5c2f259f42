import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";

/** The build copies the site here, both for the sources and for the built files. */
const packed = fileURLToPath(new URL("../../../dist/docs", import.meta.url));

/** The site to serve: the --docs folder, the packaged site, or none. */
export function docsFolder(
  option: boolean | string | undefined,
  { workingFolder }: Surroundings,
): string | null {
  if (option === false) return null;
  if (typeof option !== "string") return holdsSite(packed) ? packed : null;
  const folder = resolve(workingFolder, option);
  if (holdsSite(folder)) return folder;
  throw new CommandError(
    `--docs: ${folder} contains no index.html; expected the folder of a built documentation site`,
    exitCodes.usage,
  );
}

const holdsSite = (folder: string): boolean => existsSync(join(folder, "index.html"));
