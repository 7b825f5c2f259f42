import { accessSync, constants, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CannotJudge } from "./read/cannot-judge.ts";
import { systemProblem } from "./read/read-file.ts";

/** Why a file cannot be written, with the cure; undefined if nothing is known against it. */
export function writeProblem(path: string): string | undefined {
  const folder = dirname(path);
  try {
    const own = statSync(path, { throwIfNoEntry: false });
    if (own?.isDirectory() === true) return "is a folder; name a file in it";
    const above = statSync(folder, { throwIfNoEntry: false });
    if (above === undefined) {
      return `cannot be written: the folder ${folder} does not exist; create it first`;
    }
    if (!above.isDirectory()) {
      return `cannot be written: ${folder} is a file, not a folder; name another path`;
    }
    accessSync(own === undefined ? folder : path, constants.W_OK);
    return undefined;
  } catch (error) {
    return `cannot be written: ${systemProblem(error)}`;
  }
}

/** Writes the file of an option. Throws `CannotJudge` with the path, the reason and the cure. */
export function writeText(option: string, file: string, text: string): void {
  const problem = writeProblem(file);
  if (problem !== undefined) throw new CannotJudge(`${option}: ${file} ${problem}`);
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CannotJudge(`${option}: ${file} cannot be written: ${systemProblem(error)}`);
  }
}
