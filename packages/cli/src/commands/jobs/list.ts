import { jobStates, type JobState } from "@security-platform/server";
import { Option, type Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { readChoice } from "../../options/read-choice.ts";
import { readInteger } from "../../options/read-integer.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption } from "../../options/shared.ts";
import { findTenant } from "../../tenants.ts";
import { answer, type AnswerOptions } from "../../terminal/answer.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { formatTable } from "../../terminal/table.ts";

interface ListOptions extends DatabaseOptions, AnswerOptions {
  readonly state?: JobState;
  readonly kind?: string;
  readonly tenant?: string;
  readonly limit: number;
}

const columns = ["id", "kind", "state", "attempts", "run_at", "finished_at", "error"];

export function addListCommand(jobs: Command, surroundings: Surroundings): void {
  const command = jobs
    .command("list")
    .summary("list the jobs")
    .description(
      "List the jobs, newest first: those to come, those that run, and those that have ended lately.",
    )
    .addOption(
      new Option("--state <state>", `only those that are ${jobStates.join(", ")}`).argParser(
        readChoice(jobStates),
      ),
    )
    .addOption(
      new Option("--kind <kind>", "only those of one kind").argParser(
        readText("a kind such as mails.deliver"),
      ),
    )
    .option("--tenant <tenant>", "cid or name of the tenant that they belong to (default: all)")
    .option("--limit <count>", "jobs to show", readInteger(1, 10_000), 50)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat jobs list --state dead
  secplat jobs list --json | jq -r '.[] | select(.attempts > 1) | .error'`,
    );
  addDatabaseOptions(command).action((options: ListOptions) =>
    withStore({ ...options, create: false }, surroundings, async (store) => {
      const { state, kind, tenant, limit } = options;
      const cid =
        tenant === undefined ? undefined : (await findTenant(store, tenant, "--tenant")).cid;
      const found = await store.jobs.list({ state, kind, cid, limit });
      answer(surroundings, options, found, () =>
        formatTable(
          columns,
          found.map((job) => ({ ...job })),
        ),
      );
    }),
  );
}
