import { seedWorld, systemClock, worlds, type World } from "@security-platform/server";
import { Option, type Command } from "commander";
import { addDatabaseOptions, withStore, type DatabaseOptions } from "../database.ts";
import { readInteger } from "../options.ts";
import { Progress } from "../terminal/progress.ts";
import type { Surroundings } from "../terminal/streams.ts";

interface SeedOptions extends DatabaseOptions {
  readonly world: World;
  readonly seed: number;
  readonly json?: boolean;
}

export function addSeedCommand(program: Command, surroundings: Surroundings): void {
  addDatabaseOptions(program.command("seed"))
    .description("fill the database with a generated world; the same seed makes the same world")
    .addOption(new Option("--world <name>", "which world").choices([...worlds]).default("small"))
    .option("--seed <number>", "seed of the generator", readInteger(0), 1)
    .option("--json", "print the outcome as JSON")
    .action((options: SeedOptions) =>
      withStore(options, surroundings, async (store) => {
        const progress = new Progress(surroundings.stderr, `seeding ${options.world}`);
        const seeded = await seedWorld(store, {
          world: options.world,
          seed: options.seed,
          clock: systemClock,
          onProgress: ({ done, total }) => progress.update(done, total),
        });
        progress.end();
        surroundings.stdout.write(
          options.json === true
            ? `${JSON.stringify(seeded)}\n`
            : `seeded ${options.world}: tenant ${seeded.cid}, ${seeded.indicators} indicators, ${seeded.executions} executions\n`,
        );
      }),
    );
}
