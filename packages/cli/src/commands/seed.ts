import {
  seedWorld,
  systemClock,
  worlds,
  type Store,
  type World,
} from "@security-platform/server/internal";
import { Option, type Command } from "commander";
import { recordAudit } from "../audit-trail.ts";
import { withStore } from "../database/open.ts";
import { addFilesOption, openFiles, type FilesOptions } from "../database/files.ts";
import { addDatabaseOptions } from "../database/options.ts";
import { databaseUrl, isInMemory } from "../database/url.ts";
import { readChoice } from "../options/read-choice.ts";
import { readInteger } from "../options/read-integer.ts";
import { jsonOption } from "../options/shared.ts";
import { printResult, type ResultOptions } from "../terminal/print-result.ts";
import { interruptible, shortPatience } from "../terminal/interruptible.ts";
import { Progress } from "../terminal/progress.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { formatFacts } from "../terminal/table.ts";
import { calledAs } from "./serve/called-as.ts";
import { howToCreateClient } from "./serve/new-client.ts";

interface SeedOptions extends FilesOptions, ResultOptions {
  readonly world: World;
  readonly seed: number;
}

export function addSeedCommand(program: Command, context: CliContext): void {
  const command = program
    .command("seed")
    .description(
      "Fill the database with a generated world. The same seed generates the same world. " +
        "Existing records are not changed, so an interrupted seed can be repeated.",
    )
    .addOption(
      new Option("--world <name>", `world to generate: ${worlds.join(", ")}`)
        .argParser(readChoice(worlds))
        .default("small"),
    )
    .option("--seed <number>", "seed of the generator", readInteger(0, 2 ** 32 - 1), 1)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat seed --world mssp
  secplat seed --world large --data /var/lib/secplat`,
    );
  addFilesOption(addDatabaseOptions(command)).action((options: SeedOptions) =>
    interruptible(context, interrupted, (signal) => fillWorld(options, context, signal)),
  );
}

const interrupted = {
  state: () => "what was written stays; run the command again to complete the world",
  patience: shortPatience,
};

function fillWorld(options: SeedOptions, context: CliContext, signal: AbortSignal): Promise<void> {
  return withStore({ ...options, create: true }, context, async (store) => {
    const { world, seed } = options;
    const progress = new Progress(context.stderr, `seeding ${world}`, { signal });
    const seeded = await seedWorld(store, {
      world,
      seed,
      clock: systemClock,
      blobs: openFiles(options, context),
      onProgress: ({ done, total }) => progress.update(done, total > 0 ? done / total : null),
    }).finally(() => progress.end());
    for (const { cid } of seeded.tenants) {
      await recordAudit(store, cid, `seed --world ${world} --seed ${seed}`, []);
    }
    const newClient = await nextStep(store, options, context);
    const summary = () =>
      formatFacts([
        ["world", `${world}, seed ${seed}`],
        ["tenants", seeded.tenants.map(({ cid, name }) => `${cid} ${name}`).join(", ")],
        ["hosts", `${seeded.hosts} in ${seeded.host_groups} groups`],
        ["indicators", seeded.indicators],
        ["executions", seeded.executions],
        ["users", seeded.users],
        ["downloads", seeded.downloads],
        ["images", seeded.images],
        ["identities", `${seeded.identities}, ${seeded.sensors} sensors`],
        [
          "cases",
          `${seeded.cases} with ${seeded.case_evidence} alerts and events, ${seeded.case_files} files`,
        ],
      ]);
    printResult(context, options, { world, seed, ...seeded }, () => summary() + newClient);
  });
}

/** How to create a client: no one knows the secrets of those in a world. A database in memory ends with this command. */
async function nextStep(store: Store, options: SeedOptions, context: CliContext): Promise<string> {
  if (isInMemory(databaseUrl(options, context))) return "";
  const lines = await howToCreateClient(store, options, calledAs(context.environment), "");
  return ["", ...lines].join("\n");
}
