import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption } from "../../options/shared.ts";
import { answer, type AnswerOptions } from "../../terminal/answer.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { formatFacts } from "../../terminal/table.ts";
import { requireDelivery } from "./find-delivery.ts";

export function addShowCommand(deliveries: Command, surroundings: Surroundings): void {
  const command = deliveries
    .command("show")
    .argument("<delivery>", "its id", readText("the id of a delivery"))
    .summary("show one message")
    .description("Show one message with its attempts and their outcomes.")
    .addOption(jsonOption());
  addDatabaseOptions(command).action((id: string, options: DatabaseOptions & AnswerOptions) =>
    withStore({ ...options, create: false }, surroundings, async (store) => {
      const delivery = await requireDelivery(store, id);
      answer(surroundings, options, delivery, () =>
        formatFacts(
          Object.entries(delivery).map(([name, value]) => [
            name.replaceAll("_", " "),
            typeof value === "object" && value !== null ? JSON.stringify(value) : value,
          ]),
        ),
      );
    }),
  );
}
