import { rotateSecret, systemClock } from "@security-platform/server/internal";
import { Option, type Command } from "commander";
import { recordAudit } from "../../audit-trail.ts";
import { findClient, readClient } from "../../clients.ts";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { dataFolder } from "../../database/url.ts";
import { readCredentials, writeCredentials } from "../../demo/credentials.ts";
import { readInteger } from "../../options/read-integer.ts";
import { jsonOption, ownerOption } from "../../options/shared.ts";
import { ownerOf } from "../../tenants.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatFacts } from "../../terminal/table.ts";

interface RotateOptions extends DatabaseOptions, ResultOptions {
  readonly tenant?: string;
  readonly grace: number;
}

const day = 86_400;

export function addRotateCommand(clients: Command, context: CliContext): void {
  const command = clients
    .command("rotate")
    .argument("<client>", "id or name of the client", readClient)
    .summary("create a new secret for a client")
    .description("Create a new secret for a client. The old secret remains valid for a while.")
    .addOption(
      new Option("--grace <seconds>", "how long the old secret remains valid")
        .argParser(readInteger(0, 365 * day))
        .default(day, `${day}, one day`),
    )
    .addOption(ownerOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat clients rotate reporting
  secplat clients rotate reporting --grace 0     the old secret leaked; invalidate it at once`,
    );
  addDatabaseOptions(command).action((idOrName: string, options: RotateOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const { client_id, cid, name } = await findClient(
        store,
        idOrName,
        await ownerOf(store, options),
      );
      const client_secret = await rotateSecret(
        store.directory,
        systemClock,
        client_id,
        options.grace,
      );
      keepDemoWorking(dataFolder(options, context), client_id, client_secret);
      await recordAudit(store, cid, "clients rotate", [client_id]);
      printResult(
        context,
        options,
        { client_id, client_secret, old_secret_seconds: options.grace },
        () =>
          [
            formatFacts([
              ["client id", client_id],
              ["name", name],
              ["client secret", client_secret],
            ]),
            `The old secret ${options.grace === 0 ? "is no longer valid" : `remains valid for ${options.grace} s`}. ` +
              "The new secret is not stored and cannot be shown again.\n",
          ].join("\n"),
      );
    }),
  );
}

/** `secplat serve` prints the demo's credentials, so they must be current. */
function keepDemoWorking(folder: string, client_id: string, client_secret: string): void {
  const demo = readCredentials(folder);
  if (demo?.client_id === client_id) writeCredentials(folder, { ...demo, client_secret });
}
