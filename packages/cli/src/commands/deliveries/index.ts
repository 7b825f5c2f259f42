import {
  deliveryStates,
  listDeliveries,
  systemClock,
  type Delivery,
} from "@security-platform/server/internal";
import { Argument, Option, type Command } from "commander";
import { readText } from "../../options/read-text.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addListCommand } from "../listed/list-command.ts";
import { addShowCommand } from "../listed/show-command.ts";
import { readDelivery, requireDelivery } from "./find-delivery.ts";
import { addRetryCommand } from "./retry.ts";

export function addDeliveriesCommand(program: Command, context: CliContext): void {
  const command = program
    .command("deliveries")
    .description(
      "List the messages sent to notification groups, show one with its attempts, and send one again " +
        "that has failed.",
    );
  addListCommand(command, context, {
    summary: "list the messages",
    description: "List the messages to notification groups, newest first.",
    plural: "messages",
    tenant: "the tenant of the case",
    states: deliveryStates,
    only: new Option("--case <id>", "only messages about this case").argParser(
      readText("the id of a case"),
    ),
    columns: [
      "id",
      "created_at",
      "reference_id",
      "channel",
      "target",
      "state",
      "attempts",
      "last_outcome",
    ],
    row: (delivery: Delivery) => ({
      ...delivery,
      attempts: delivery.attempts.length,
      last_outcome: delivery.attempts.at(-1)?.outcome ?? null,
    }),
    examples: [
      "secplat deliveries list --state failed",
      "secplat deliveries list --json | jq -r '.[] | [.target, .attempts[-1].outcome] | @tsv'",
    ],
    find: (store, { only: caseId, ...query }) =>
      listDeliveries(store, systemClock.now(), { ...query, caseId }),
  });
  addShowCommand(command, context, {
    summary: "show one message",
    description: "Show one message with its attempts and their outcomes.",
    id: new Argument("<delivery>", "its id").argParser(readDelivery),
    example: "secplat deliveries show 5d8c1e7fa2b34960b7d4c9e0f1a28364",
    find: requireDelivery,
  });
  addRetryCommand(command, context);
}
