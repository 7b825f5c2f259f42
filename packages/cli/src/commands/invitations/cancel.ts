import { cancelInvitation, systemClock } from "@security-platform/server";
import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption } from "../../options/shared.ts";
import { answer, type AnswerOptions } from "../../terminal/answer.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { formatFacts } from "../../terminal/table.ts";

export function addCancelCommand(invitations: Command, surroundings: Surroundings): void {
  const command = invitations
    .command("cancel")
    .argument(
      "<invitation>",
      "id or token of the invitation",
      readText("the id or token of an invitation"),
    )
    .summary("cancel a pending invitation")
    .description("Cancel a pending invitation. To revoke accepted roles, use the API.")
    .addOption(jsonOption());
  addDatabaseOptions(command).action(
    (invitation: string, options: DatabaseOptions & AnswerOptions) =>
      withStore({ ...options, create: false }, surroundings, async (store) => {
        const canceled = await cancelInvitation(store, invitation, systemClock.now());
        answer(surroundings, options, canceled, () =>
          formatFacts([
            ["invitation", canceled.invitation_id],
            ["user", canceled.invitee_email],
            ["status", canceled.status],
          ]),
        );
      }),
  );
}
