import type { CliContext } from "../../terminal/cli-context.ts";
import { checkOptions } from "./check-options.ts";
import { claimFolder } from "./claim-folder.ts";
import type { ServeOptions } from "./serve-options.ts";
import { withMetrics } from "./metrics.ts";
import { withTelemetry } from "./telemetry.ts";
import { serveAlone } from "./serve-alone.ts";
import { assignmentOf } from "./workers/assignment.ts";
import { serveAsWorker } from "./workers/serve-as-worker.ts";
import { serveWithWorkers } from "./workers/serve-with-workers.ts";

/** Runs until it receives a stop signal. */
export async function serve(options: ServeOptions, context: CliContext): Promise<void> {
  const assignment = assignmentOf(context.environment);
  if (assignment !== null) return serveAsWorker(options, context, assignment);
  checkOptions(options, context);
  const lock = await claimFolder(options, context);
  try {
    await withMetrics(options, async (metrics) => {
      if (options.workers > 1) await serveWithWorkers(options, context, metrics);
      else await withTelemetry(options, context, () => serveAlone(options, context, metrics));
    });
  } finally {
    lock.release();
  }
}
