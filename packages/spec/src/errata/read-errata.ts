import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Entry } from "./entry.ts";

/** Entries by file name without extension: a collection's folder, or `shared`. */
export const readErrata = (folder: string): ReadonlyMap<string, readonly Entry[]> =>
  new Map(
    readdirSync(folder)
      .toSorted()
      .map((name) => [
        name.replace(/\.yaml$/, ""),
        parse(readFileSync(join(folder, name), "utf8")) as readonly Entry[],
      ]),
  );
