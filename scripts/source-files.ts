import { globSync } from "node:fs";
import { sep } from "node:path";

/** The sources of packages, relative to `root`, without tests, shared test code and generated code. */
export const sourceFiles = (root: string, folder: string): readonly string[] =>
  globSync(`${folder}/**/*.ts`, { cwd: root })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => !/\/(?:testing|generated|node_modules)\/|\.test\.ts$/.test(path))
    .toSorted();
