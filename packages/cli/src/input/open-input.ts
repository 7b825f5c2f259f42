import { createReadStream, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { nearest } from "@security-platform/fql";
import { describeError, systemCode } from "../terminal/describe-error.ts";
import { CommandError } from "../terminal/exit-codes.ts";
import type { CliContext } from "../terminal/cli-context.ts";

export interface Input {
  /** Name in messages. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Size in bytes; null if it is not known in advance. */
  readonly size: number | null;
}

/** Opens a file, or standard input for `-`. */
export function openInput(file: string, { stdin, workingFolder }: CliContext): Input {
  if (file === "-") return { name: "standard input", chunks: stdin, size: null };
  const path = resolve(workingFolder, file);
  const size = sizeOf(path, file);
  return { name: file, chunks: readFile(path, file), size };
}

function sizeOf(path: string, file: string): number | null {
  let stats;
  try {
    stats = statSync(path);
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${cause(error, path)}`);
  }
  if (stats.isDirectory()) {
    throw new CommandError(`cannot read ${file}: it is a folder; expected a file`);
  }
  return stats.isFile() ? stats.size : null;
}

async function* readFile(path: string, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 1024 * 1024 });
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${cause(error, path)}`);
  }
}

function cause(error: unknown, path: string): string {
  const code = systemCode(error);
  if (code === "ENOENT") return `there is no such file${neighbour(path)}`;
  if (code === "EACCES") return "this user has no read permission";
  return describeError(error);
}

function neighbour(path: string): string {
  try {
    const near = nearest(basename(path), readdirSync(dirname(path)));
    return near === undefined ? "" : `; the nearest is ${join(dirname(path), near)}`;
  } catch {
    return "";
  }
}
