import { request } from "node:http";
import { join } from "node:path";
import type { LongestTurn } from "./loop-probe.ts";

export interface Probe {
  /** Options of Node.js that load the probe. */
  readonly flags: readonly string[];
  readonly socketPath: string;
}

/** A probe of a server that is started with its flags. */
export function probed(folder: string): Probe {
  const socketPath = join(folder, "probe.sock");
  const module = new URL(`./loop-probe.ts?${encodeURIComponent(socketPath)}`, import.meta.url);
  return { socketPath, flags: [`--import=${module.href}`] };
}

/** The longest turn since the last call. */
export function longestTurn({ socketPath }: Probe): Promise<LongestTurn> {
  return new Promise((resolve, reject) => {
    const outgoing = request("http://probe/", { socketPath }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => resolve(JSON.parse(Buffer.concat(parts).toString()) as LongestTurn));
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}
