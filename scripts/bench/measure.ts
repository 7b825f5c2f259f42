import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** One row of the report. `ratio` is compared with `target`; `targetIs` says how. */
export interface Result {
  readonly name: string;
  readonly figure: string;
  readonly ratio: number;
  readonly target: number;
  readonly targetIs: "at least" | "at most";
  readonly note?: string;
}

export const met = ({ ratio, target, targetIs }: Result): boolean =>
  targetIs === "at least" ? ratio >= target : ratio <= target;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

const pinning = availableParallelism() > 1 && existsSync("/usr/bin/taskset");

const running = new Set<ChildProcess>();
// A failed bench must not leave its servers running.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a Node program, on one processor where the system supports it; null: on any. */
export function startOn(processor: 0 | 1 | null, words: readonly string[]): ChildProcess {
  const command =
    pinning && processor !== null
      ? ["taskset", "-c", String(processor), process.execPath, ...words]
      : [process.execPath, ...words];
  const child = spawn(command[0] ?? "", command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Resolves with the first match of `pattern` in the output of the process. */
export function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const match = pattern.exec(text);
      if (match !== null) resolve(match);
    });
    child.on("exit", (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

const ticksPerSecond = 100;

/** Processor seconds that a process and its children have used (Linux). */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const own = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g) ?? [];
  return children.reduce((sum, child) => sum + processorSeconds(Number(child)), own);
}

/** Resident memory of a process in megabytes (Linux). */
export function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1_024;
}

/** Rows as lines, with their columns aligned. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}
