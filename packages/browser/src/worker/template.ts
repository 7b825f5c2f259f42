import { loadCompressed } from "./compressed-file.ts";
import { requireParts } from "./required-parts.ts";
import type { Template } from "@security-platform/server/portable";

/** The home tenant, which the build writes here. */
declare const HOME: Omit<Template, "bytes">;

/** Loads the prepared database. */
export async function loadTemplate(): Promise<Template> {
  requireParts();
  return { ...HOME, bytes: await loadCompressed(new URL("template.db.gz", import.meta.url)) };
}
