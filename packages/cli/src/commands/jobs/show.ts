import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { readInteger } from "../../options/read-integer.ts";
import { jsonOption } from "../../options/shared.ts";
import { answer, type AnswerOptions } from "../../terminal/answer.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { formatFacts } from "../../terminal/table.ts";
import { findJob } from "./find-job.ts";

export function addShowCommand(jobs: Command, surroundings: Surroundings): void {
  const command = jobs
    .command("show")
    .argument("<job>", "its id", readInteger(1))
    .summary("show all about one job")
    .description("Show all about one job: what it is for, how far it is, and why it failed.")
    .addOption(jsonOption());
  addDatabaseOptions(command).action((id: number, options: DatabaseOptions & AnswerOptions) =>
    withStore({ ...options, create: false }, surroundings, async (store) => {
      const job = await findJob(store, id);
      answer(surroundings, options, job, () =>
        formatFacts(
          Object.entries(job).map(([name, value]) => [
            name.replaceAll("_", " "),
            typeof value === "object" && value !== null ? JSON.stringify(value) : value,
          ]),
        ),
      );
    }),
  );
}
