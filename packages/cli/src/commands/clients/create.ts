import { createClient, systemClock } from "@security-platform/server/internal";
import { Option, type Command } from "commander";
import { recordAudit } from "../../audit-trail.ts";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { readName } from "../../options/read-name.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption, tenantOption } from "../../options/shared.ts";
import { allScopes, readScope } from "../../scopes.ts";
import { chosenTenant } from "../../tenants.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatFacts } from "../../terminal/table.ts";
import { findUser } from "../../users.ts";

interface CreateOptions extends DatabaseOptions, ResultOptions {
  readonly tenant?: string;
  readonly scope?: readonly string[];
  readonly user?: string;
}

export function addCreateCommand(clients: Command, context: CliContext): void {
  const command = clients
    .command("create")
    .argument("<name>", "name of the client", readName)
    .summary("create a client")
    .description("Create a client and print its secret, once.")
    .addOption(tenantOption())
    .addOption(
      new Option("--scope <scope...>", "scopes of the client (default: all)").argParser(readScope),
    )
    .addOption(
      new Option(
        "--user <uid>",
        "user to act as: the client can do what both its scopes and the user's roles allow",
      ).argParser(readText("the e-mail address of a user")),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat clients create reporting --scope ioc-management:read
  secplat clients create pipeline --tenant "Harbour Demo" --json
  secplat clients create on-behalf --user tomas.okafor@example.com`,
    );
  addDatabaseOptions(command).action((name: string, options: CreateOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const tenant = await chosenTenant(store, options, context);
      const scopes = options.scope ?? allScopes();
      const user =
        options.user === undefined ? undefined : await findUser(store, options.user, tenant);
      const client = await createClient(store.directory, systemClock, {
        cid: tenant.cid,
        name,
        scopes,
        ...(user === undefined ? {} : { user_uuid: user.uuid }),
      });
      await recordAudit(store, tenant.cid, "clients create", [client.client_id]);
      printResult(context, options, client, () =>
        [
          formatFacts([
            ["client id", client.client_id],
            ["client secret", client.client_secret],
            ["tenant", `${tenant.cid} ${tenant.name}`],
            ["scopes", scopes.join(" ")],
            ...(user === undefined ? [] : [["acts as", user.uid] as const]),
          ]),
          "The secret is not stored and cannot be shown again.\n",
        ].join("\n"),
      );
    }),
  );
}
