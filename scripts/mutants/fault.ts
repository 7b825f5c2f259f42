import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A small mistake in the source that tests must notice. */
export interface Fault {
  /** What the fault breaks, as the subject of a sentence's rest: "reads a foreign tenant's records". */
  readonly breaks: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly text: string;
  readonly replacement: string;
  /** Test files, at least one of which fails without its tests tagged `exhaustive`. From the root. */
  readonly tests: readonly string[];
}

export type Groups = Readonly<Record<string, readonly Fault[]>>;

export interface GroupedFault extends Fault {
  readonly group: string;
}

export const nameOf = ({ group, breaks }: GroupedFault): string => `${group}: ${breaks}`;

/** The folder in which Vitest runs a test file. */
export const packageOf = (test: string): string =>
  /^(?:packages\/[^/]+|docs|scripts)(?=\/)/.exec(test)?.[0] ?? "";

/** What is out of date in the description of a fault, so that it can no longer be planted. */
export function problemsOf(fault: GroupedFault, root: string): readonly string[] {
  const { file, text, replacement, tests } = fault;
  const problems: string[] = [];
  if (!existsSync(join(root, file))) problems.push(`${file} does not exist`);
  else {
    const count = readFileSync(join(root, file), "utf8").split(text).length - 1;
    if (count !== 1) problems.push(`expected once in ${file}, but found ${count} times: ${text}`);
  }
  if (text === replacement) problems.push("the replacement equals the text");
  if (tests.length === 0) problems.push("no tests are named");
  for (const test of tests) {
    if (!existsSync(join(root, test))) problems.push(`${test} does not exist`);
    else if (packageOf(test) === "") problems.push(`${test} belongs to no package`);
  }
  return problems.map((problem) => `${nameOf(fault)}: ${problem}`);
}
