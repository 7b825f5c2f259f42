import {
  allowedUidDomains,
  allowUidDomains,
  systemClock,
  type Store,
} from "@security-platform/server/internal";
import { InvalidArgumentError, Option, type Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { jsonOption, readTenant } from "../../options/shared.ts";
import { findTenant } from "../../tenants.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatFacts } from "../../terminal/table.ts";

interface DomainsOptions extends DatabaseOptions, ResultOptions {
  readonly any?: boolean;
}

export function addDomainsCommand(tenants: Command, context: CliContext): void {
  const command = tenants
    .command("domains")
    .argument("<tenant>", "cid or name of the tenant", readTenant)
    .argument("[domains...]", "the allowed domains", readDomains)
    .summary("show or set the allowed e-mail domains of new users")
    .description(
      "Show or set the e-mail domains that new users of a tenant may have. Existing users are not affected.",
    )
    .addOption(new Option("--any", "allow every domain"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat tenants domains "Acme Corp" acme.example acme.org
  secplat tenants domains "Acme Corp" --any`,
    );
  addDatabaseOptions(command).action(
    (cidOrName: string, domains: readonly string[], options: DomainsOptions) =>
      withStore({ ...options, create: false }, context, async (store) => {
        const { cid } = await findTenant(store, cidOrName, "<tenant>");
        await change(store, cid, domains, options.any === true);
        const allowed = await allowedUidDomains(store, cid, systemClock.now());
        printResult(context, options, { cid, domains: allowed }, () =>
          formatFacts([
            ["cid", cid],
            ["domains", allowed?.join(" ") ?? "any"],
          ]),
        );
      }),
  );
}

async function change(
  store: Store,
  cid: string,
  domains: readonly string[],
  any: boolean,
): Promise<void> {
  if (any && domains.length > 0) throw new CommandError("specify either domains or --any");
  if (!any && domains.length === 0) return;
  await allowUidDomains(store, cid, domains, systemClock.now());
}

function readDomains(text: string, before: readonly string[] | undefined): readonly string[] {
  const domain = text.toLowerCase();
  if (!/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/.test(domain)) {
    throw new InvalidArgumentError("A domain is the part after the @, such as acme.example.");
  }
  return [...(before ?? []), domain];
}
