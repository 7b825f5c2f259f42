import { systemClock } from "@security-platform/server/internal";
import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { findJob, readJob } from "./find-job.ts";

export function addRetryCommand(jobs: Command, context: CliContext): void {
  const command = jobs
    .command("retry")
    .argument("<job>", "its id", readJob)
    .summary("run a failed job again")
    .description("Run a dead job again, or a failed job at once. It gets all its attempts again.")
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat jobs retry 12"));
  addDatabaseOptions(command).action((id: number, options: DatabaseOptions & ResultOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const { state } = await findJob(store, id);
      if (!(await store.jobs.retry(id, systemClock.now()))) {
        throw new CommandError(`job ${id} is ${state}; only failed and dead jobs can be retried`);
      }
      const job = await findJob(store, id);
      printResult(context, options, job, () => `job ${id} is ${job.state} again\n`);
    }),
  );
}
