import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import type { ServerLimits } from "../foundation/config.ts";

/** Share of a process's memory for bodies that are being received. Responses have the same share. */
const part = 1 / 8;

/** Memory in bytes for all bodies that are being received. */
export const memoryForBodies = ({
  bodyMemoryBytes,
}: Pick<ServerLimits, "bodyMemoryBytes">): number => configured(bodyMemoryBytes);

/** Memory in bytes for all responses that callers have not taken. */
export const memoryForResponses = ({
  responseMemoryBytes,
}: Pick<ServerLimits, "responseMemoryBytes">): number => configured(responseMemoryBytes);

const configured = (bytes: number): number =>
  bytes === 0 ? Math.floor(memoryLimit() * part) : bytes;

/** The memory that the process can use at most: of the heap, of its container, and of the machine. */
function memoryLimit(): number {
  // 0 without a container.
  const container = process.constrainedMemory() || Infinity;
  return Math.min(getHeapStatistics().heap_size_limit, container, totalmem());
}
