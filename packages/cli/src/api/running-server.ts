import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A server that `secplat serve` runs on this machine, as its data folder describes it. */
export interface RunningServer {
  readonly url: string;
  readonly process_id: number;
  /** The certificate that clients must trust; null for none. */
  readonly ca_file: string | null;
}

const fileIn = (folder: string): string => join(folder, "server.json");

/**
 * Notes the URL of the server in the data folder, where commands find it. Does nothing if the folder cannot be written.
 */
export function announceServer(folder: string, server: RunningServer): void {
  try {
    writeFileSync(fileIn(folder), `${JSON.stringify(server)}\n`, { mode: 0o600 });
  } catch {
    // The server works without it.
  }
}

/** Removes the announcement of this server; that of a later one on the same folder stays. */
export function withdrawServer(folder: string, processId: number): void {
  if (read(folder)?.process_id === processId) rmSync(fileIn(folder), { force: true });
}

/** The server that runs on this data folder; undefined if there is none. */
export function findServer(folder: string): RunningServer | undefined {
  const server = read(folder);
  return server !== undefined && isAlive(server.process_id) ? server : undefined;
}

function read(folder: string): RunningServer | undefined {
  try {
    const { url, process_id, ca_file } = JSON.parse(
      readFileSync(fileIn(folder), "utf8"),
    ) as Partial<RunningServer>;
    if (typeof url !== "string" || typeof process_id !== "number") return undefined;
    return { url, process_id, ca_file: ca_file ?? null };
  } catch {
    return undefined;
  }
}

/** A server that was killed leaves its file. */
function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // Of another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
