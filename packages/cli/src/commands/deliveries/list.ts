import {
  deliveryStates,
  listDeliveries,
  systemClock,
  type DeliveryState,
} from "@security-platform/server";
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
  readonly state?: DeliveryState;
  readonly case?: string;
  readonly tenant?: string;
  readonly limit: number;
}

const columns = [
  "id",
  "created_at",
  "reference_id",
  "channel",
  "target",
  "state",
  "attempts",
  "last_outcome",
];

export function addListCommand(deliveries: Command, surroundings: Surroundings): void {
  const command = deliveries
    .command("list")
    .summary("list the messages")
    .description("List the messages to notification groups, newest first.")
    .addOption(
      new Option("--state <state>", `only those that are ${deliveryStates.join(", ")}`).argParser(
        readChoice(deliveryStates),
      ),
    )
    .addOption(
      new Option("--case <id>", "only those about one case").argParser(
        readText("the id of a case"),
      ),
    )
    .option("--tenant <tenant>", "cid or name of the tenant (default: all tenants)")
    .option("--limit <count>", "messages to show", readInteger(1, 10_000), 50)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat deliveries list --state failed
  secplat deliveries list --json | jq -r '.[] | [.target, .attempts[-1].outcome] | @tsv'`,
    );
  addDatabaseOptions(command).action((options: ListOptions) =>
    withStore({ ...options, create: false }, surroundings, async (store) => {
      const { state, tenant, limit, case: caseId } = options;
      const cid =
        tenant === undefined ? undefined : (await findTenant(store, tenant, "--tenant")).cid;
      const found = await listDeliveries(store, systemClock.now(), { cid, state, caseId, limit });
      answer(surroundings, options, found, () =>
        formatTable(
          columns,
          found.map((delivery) => ({
            ...delivery,
            attempts: delivery.attempts.length,
            last_outcome: delivery.attempts.at(-1)?.outcome ?? null,
          })),
        ),
      );
    }),
  );
}
