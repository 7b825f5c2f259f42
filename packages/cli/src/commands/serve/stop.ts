import { setTimeout } from "node:timers/promises";
import type { RunningServer } from "@security-platform/server/internal";
import type { ServeOptions } from "./serve-options.ts";

const milliseconds = 1_000;

/** Gives load balancers time to notice that the server is about to stop. */
export async function drain(
  server: Pick<RunningServer, "drain">,
  { drainDelay }: Pick<ServeOptions, "drainDelay">,
): Promise<void> {
  server.drain();
  await setTimeout(drainDelay * milliseconds);
}
