import { createClient, rotateSecret, systemClock } from "@security-platform/server";
import { scopes as allScopes } from "../scopes.ts";
import type { Command } from "commander";
import { addDatabaseOptions, withStore, type DatabaseOptions } from "../database.ts";
import { readInteger } from "../options.ts";
import { findTenant } from "../tenants.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { formatTable } from "../terminal/table.ts";
import type { Surroundings } from "../terminal/streams.ts";

interface CommonOptions extends DatabaseOptions {
  readonly json?: boolean;
  readonly tenant?: string;
}

const columns = ["client_id", "name", "cid", "scopes", "created_at"];

export function addClientsCommand(program: Command, surroundings: Surroundings): void {
  const clients = program.command("clients").description("make and manage API clients");
  const { stdout } = surroundings;

  addDatabaseOptions(clients.command("create <name>"))
    .description("make an API client and print its secret, this once")
    .option("--tenant <tenant>", "cid or name of the tenant (default: the only one)")
    .option("--scope <scope...>", "scopes it gets (default: all)")
    .option("--json", "print the client as JSON")
    .action((name: string, options: CommonOptions & { scope?: string[] }) =>
      withStore(options, surroundings, async (store) => {
        const tenant = await findTenant(store, options.tenant);
        const scopes = readScopes(options.scope);
        const client = await createClient(store.directory, systemClock, {
          cid: tenant.cid,
          name,
          scopes,
        });
        stdout.write(
          options.json === true
            ? `${JSON.stringify(client)}\n`
            : `client id      ${client.client_id}\nclient secret  ${client.client_secret}\n` +
                `tenant         ${tenant.cid} ${tenant.name}\nscopes         ${scopes.join(" ")}\n` +
                "The secret is not stored and cannot be shown again.\n",
        );
      }),
    );

  addDatabaseOptions(clients.command("list"))
    .description("list API clients")
    .option("--tenant <tenant>", "cid or name of a tenant (default: all)")
    .option("--json", "print a JSON array")
    .action((options: CommonOptions) =>
      withStore(options, surroundings, async (store) => {
        const tenant =
          options.tenant === undefined ? undefined : await findTenant(store, options.tenant);
        const found = await store.directory.clients(tenant?.cid);
        stdout.write(
          options.json === true
            ? `${JSON.stringify(found)}\n`
            : formatTable(
                columns,
                found.map((client) => ({ ...client })),
              ),
        );
      }),
    );

  addDatabaseOptions(clients.command("rotate <client-id>"))
    .description("give a client a new secret; the old one works on for a while")
    .option("--grace <seconds>", "how long the old secret still works", readInteger(0), 86_400)
    .option("--json", "print JSON")
    .action((clientId: string, options: CommonOptions & { grace: number }) =>
      withStore(options, surroundings, async (store) => {
        if ((await store.directory.client(clientId)) === null) throw unknownClient(clientId);
        const secret = await rotateSecret(store.directory, systemClock, clientId, options.grace);
        stdout.write(
          options.json === true
            ? `${JSON.stringify({ client_id: clientId, client_secret: secret, old_secret_seconds: options.grace })}\n`
            : `client secret  ${secret}\nThe old secret works for another ${options.grace} s.\n`,
        );
      }),
    );

  addDatabaseOptions(clients.command("delete <client-id>"))
    .description("delete a client; its tokens stop working at once")
    .action((clientId: string, options: CommonOptions) =>
      withStore(options, surroundings, async (store) => {
        if (!(await store.directory.deleteClient(clientId))) throw unknownClient(clientId);
        stdout.write(`deleted ${clientId}\n`);
      }),
    );
}

const unknownClient = (clientId: string): CommandError =>
  new CommandError(`no client has the id ${clientId} (secplat clients list shows them)`);

function readScopes(given: readonly string[] | undefined): readonly string[] {
  const known = allScopes();
  if (given === undefined) return known;
  const wrong = given.filter((scope) => !known.includes(scope));
  if (wrong.length === 0) return [...new Set(given)];
  throw new CommandError(
    `unknown scope ${wrong.join(", ")}; there are ${known.join(", ")}`,
    exitCodes.usage,
  );
}
