import { jobStates } from "@security-platform/server/internal";
import { Argument, Option, type Command } from "commander";
import { readText } from "../../options/read-text.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addListCommand } from "../listed/list-command.ts";
import { addShowCommand } from "../listed/show-command.ts";
import { findJob, readJob } from "./find-job.ts";
import { addRetryCommand } from "./retry.ts";

export function addJobsCommand(program: Command, context: CliContext): void {
  const jobs = program
    .command("jobs")
    .description(
      "List background jobs, show one, and retry failed jobs. " +
        "Servers on the database run them; any may be stopped at any time.",
    );
  addListCommand(jobs, context, {
    summary: "list the jobs",
    description: "List the jobs, newest first: queued, running and recently finished jobs.",
    plural: "jobs",
    tenant: "the tenant of the jobs",
    states: jobStates,
    only: new Option("--kind <kind>", "only jobs of this kind").argParser(
      readText("a kind such as mails.deliver"),
    ),
    columns: ["id", "kind", "state", "attempts", "run_at", "finished_at", "error"],
    examples: [
      "secplat jobs list --state dead",
      "secplat jobs list --json | jq -r '.[] | select(.attempts > 1) | .error'",
    ],
    find: (store, { only: kind, ...query }) => store.jobs.list({ ...query, kind }),
  });
  addShowCommand(jobs, context, {
    summary: "show one job",
    description: "Show one job: its purpose, its progress, and why it failed.",
    id: new Argument("<job>", "its id").argParser(readJob),
    example: "secplat jobs show 12",
    find: findJob,
  });
  addRetryCommand(jobs, context);
}
