import type { Command } from "commander";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { addListCommand } from "./list.ts";
import { addRetryCommand } from "./retry.ts";
import { addShowCommand } from "./show.ts";

export function addJobsCommand(program: Command, surroundings: Surroundings): void {
  const jobs = program
    .command("jobs")
    .summary("look after background work")
    .description(
      "List background jobs, show one, and run one again that has failed. " +
        "Servers on the database run them; any may be stopped at any time.",
    );
  addListCommand(jobs, surroundings);
  addShowCommand(jobs, surroundings);
  addRetryCommand(jobs, surroundings);
}
