import {
  editAccessTagHolders,
  listAccessTags,
  systemClock,
} from "@security-platform/server/internal";
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
import { formatTable } from "../../terminal/table.ts";

interface TagOptions extends DatabaseOptions, ResultOptions {
  readonly tenant?: string;
}

export function addAccessTagsCommand(program: Command, context: CliContext): void {
  const tags = program
    .command("access-tags")
    .description(
      "List the access tags of cases, grant them and revoke them. A case with access tags is visible " +
        "only to callers that hold one of them. Templates create access tags.",
    );
  addListCommand(tags, context);
  addHoldersCommand(tags, "grant", context);
  addHoldersCommand(tags, "revoke", context);
}

function addListCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("list")
    .summary("list the access tags of a tenant")
    .description("List the access tags of a tenant with their holders.")
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat access-tags list"));
  addDatabaseOptions(command).action((options: TagOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const { cid } = await chosenTenant(store, options, context);
      const listed = await listAccessTags(store, systemClock, cid);
      printResult(context, options, listed, () =>
        formatTable(
          ["id", "key", "holders"],
          listed.map(({ id, key, holders }) => ({ id, key, holders: holders.join(", ") })),
        ),
      );
    }),
  );
}

const texts = {
  grant: {
    summary: "grant an access tag to users, API clients or roles",
    description:
      "Grant an access tag to users (by e-mail address or UUID), API clients (by id) or roles (by id). " +
      "It takes effect with the next request.",
  },
  revoke: {
    summary: "revoke an access tag from users, API clients or roles",
    description: "Revoke an access tag. It takes effect with the next request.",
  },
} as const;

const readTag = offeringListed(
  readText("the id or key of an access tag"),
  "access-tags list",
  "key",
  "id",
);

function addHoldersCommand(parent: Command, action: "grant" | "revoke", context: CliContext): void {
  const command = parent
    .command(action)
    .summary(texts[action].summary)
    .description(texts[action].description)
    .argument("<tag>", "id or key of the access tag", readTag)
    .argument("<holder...>", "users, API clients or roles")
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText("after", examples(`secplat access-tags ${action} LEGAL mara@harbour.example`));
  addDatabaseOptions(command).action(
    (tag: string, holders: readonly string[], options: TagOptions) =>
      withStore({ ...options, create: false }, context, async (store) => {
        const { cid } = await chosenTenant(store, options, context);
        const edit = { cid, tag, action, holders };
        const changed = await editAccessTagHolders(store, systemClock, edit);
        printResult(
          context,
          options,
          changed,
          () => `${printable(changed.key)} now has ${counted(changed.holders.length)}\n`,
        );
      }),
  );
}

const counted = (holders: number): string => `${holders} ${holders === 1 ? "holder" : "holders"}`;
