import type { ServeOptions } from "./serve-options.ts";

/** A process has two pools of the same size: for reads and for transactions. */
const pools = 2;
/** A single process has this many connections in each pool, and all workers together twice as many. */
const defaultPool = 10;
const smallestPool = 2;

/** With fewer connections, a process could not read and write at the same time. */
export const fewestConnections = (processes: number): number => processes * pools * smallestPool;

/** The number of connections in each of the two pools of one of several processes. */
export function poolSizeOf(
  { databaseConnections }: Pick<ServeOptions, "databaseConnections">,
  processes = 1,
): number {
  const all = defaultPool * (processes === 1 ? 1 : 2) * pools;
  const share = Math.floor((databaseConnections ?? all) / pools / processes);
  return Math.max(smallestPool, share);
}
