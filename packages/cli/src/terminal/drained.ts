import { once, type EventEmitter } from "node:events";
import type { Output } from "./cli-context.ts";

/**
 * Waits until an output can take more, so that nothing piles up before a slow reader. Throws the reason of the
 * signal.
 */
export async function drained(output: Output, signal: AbortSignal): Promise<void> {
  if (output.writableNeedDrain === true) {
    // An output that breaks also ends the wait; whoever listens to its errors decides what follows.
    await once(output as unknown as EventEmitter, "drain", { signal }).catch(() => undefined);
  }
  signal.throwIfAborted();
}
