import { readFileSync } from "node:fs";
import { manifestFile } from "./places.ts";

/** The version of this package. */
export function version(): string {
  return (JSON.parse(readFileSync(manifestFile, "utf8")) as { version: string }).version;
}
