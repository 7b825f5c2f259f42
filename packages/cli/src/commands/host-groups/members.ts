import { editHostGroupMembers, systemClock } from "@security-platform/server/internal";
import type { Command } from "commander";
import { offeringListed } from "../../options/offering-listed.ts";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption, tenantOption } from "../../options/shared.ts";
import { chosenTenant } from "../../tenants.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { printable } from "../../terminal/printable.ts";
import type { CliContext } from "../../terminal/cli-context.ts";

interface MembersOptions extends DatabaseOptions, ResultOptions {
  readonly tenant?: string;
}

const texts = {
  add: {
    summary: "add hosts to a static group",
    description:
      "Add hosts to a static group. Policies and other records of the group apply to them at once.",
  },
  remove: {
    summary: "remove hosts from a static group",
    description:
      "Remove hosts from a static group. Policies and other records of the group no longer apply to them.",
  },
} as const;

const readGroup = offeringListed(
  readText("the id or name of a host group"),
  "host-groups list",
  "id",
  "name",
);

export function addMembersCommand(
  groups: Command,
  action: "add" | "remove",
  context: CliContext,
): void {
  const command = groups
    .command(action)
    .summary(texts[action].summary)
    .description(texts[action].description)
    .argument("<group>", "id or name of the group", readGroup)
    .argument("<host...>", "ids or names of hosts")
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(`secplat host-groups ${action} "Domain controllers" HAM-DC-00002`),
    );
  addDatabaseOptions(command).action(
    (group: string, hosts: readonly string[], options: MembersOptions) =>
      withStore({ ...options, create: false }, context, async (store) => {
        const { cid } = await chosenTenant(store, options, context);
        const edit = { cid, group, action, hosts };
        const { id, name, device_ids, hostnames } = await editHostGroupMembers(
          store,
          systemClock,
          edit,
        );
        const members = (device_ids ?? hostnames ?? []).length;
        printResult(
          context,
          options,
          { id, name, members },
          () => `${printable(name)} now has ${members} hosts\n`,
        );
      }),
  );
}
