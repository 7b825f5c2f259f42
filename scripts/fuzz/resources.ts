import { readdirSync, readFileSync } from "node:fs";

/** What a process uses, from `/proc`. Null on a system without it. */
export interface Resources {
  readonly megabytes: number;
  readonly descriptors: number;
  /** Seconds of processor time so far. */
  readonly processor: number;
}

/** Clock ticks a second, on every usual Linux. */
const ticks = 100;

export function resourcesOf(pid: number | "self"): Resources | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    // The name of the process, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return {
      megabytes: Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024),
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      processor: (Number(fields[11]) + Number(fields[12])) / ticks,
    };
  } catch {
    return null;
  }
}
