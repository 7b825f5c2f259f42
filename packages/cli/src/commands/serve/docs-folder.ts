import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";

/** The build copies the site here; the same place from the sources and from the built files. */
const packed = fileURLToPath(new URL("../../../dist/docs", import.meta.url));

/** The site to serve: the one given, the packed one, or none. */
export function docsFolder(
  given: boolean | string | undefined,
  { workingFolder }: Surroundings,
): string | null {
  if (given === false) return null;
  if (typeof given !== "string") return holdsSite(packed) ? packed : null;
  const folder = resolve(workingFolder, given);
  if (holdsSite(folder)) return folder;
  throw new CommandError(
    `--docs: ${folder} holds no index.html; expected the folder of a built documentation site`,
    exitCodes.usage,
  );
}

const holdsSite = (folder: string): boolean => existsSync(join(folder, "index.html"));
