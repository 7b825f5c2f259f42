import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { commandLine } from "./command-line.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A working folder that commands have filled. */
export interface PreparedFolder<Value> {
  readonly folder: string;
  /** What filling it returned. */
  readonly value: Value;
}

interface File {
  readonly path: string;
  readonly mode: number;
  readonly content: Uint8Array;
}

/**
 * Fills a folder on first use. Each call then copies it to `folder`, by default a temporary one:
 * creating a database and filling it takes much longer than copying it.
 */
export function preparedFolder<Value>(
  fill: (folder: string) => Promise<Value>,
): (folder?: string) => Promise<PreparedFolder<Value>> {
  let filled: Promise<{ readonly files: readonly File[]; readonly value: Value }> | undefined;
  return async (folder = temporaryFolder()) => {
    filled ??= fillFirst(fill);
    const { files, value } = await filled;
    for (const { path, mode, content } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content, { mode });
    }
    return { folder, value };
  };
}

async function fillFirst<Value>(fill: (folder: string) => Promise<Value>) {
  const cleanUps: (() => void)[] = [];
  const folder = temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  try {
    const value = await fill(folder);
    return { files: filesIn(folder), value };
  } finally {
    for (const cleanUp of cleanUps) cleanUp();
  }
}

const filesIn = (folder: string): readonly File[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { mode } = statSync(path);
      return { path: relative(folder, path), mode, content: readFileSync(path) };
    });

async function fillWithDemo(folder: string): Promise<void> {
  const { exitCode, stderr } = await commandLine({ folder })(["serve", "--port", "0"]);
  if (exitCode !== 0) throw new Error(stderr);
}

/** A folder as `secplat serve` with its demo leaves it. */
export const demoFolder = preparedFolder(fillWithDemo);

/** The same, with another client. */
export const otherDemoFolder = preparedFolder(fillWithDemo);

interface Seeded {
  readonly world: string;
  readonly seed: number;
  readonly tenants: readonly { readonly name: string }[];
  readonly indicators: number;
}

/** A folder as `secplat seed` leaves it, and what that printed. */
export const seededFolder = preparedFolder((folder) =>
  commandLine({ folder }).json<Seeded>(["seed"]),
);
