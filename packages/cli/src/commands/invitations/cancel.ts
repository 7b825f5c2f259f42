import { cancelInvitation, systemClock } from "@security-platform/server/internal";
import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { offeringListed } from "../../options/offering-listed.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption, ownerOption } from "../../options/shared.ts";
import { ownerOf } from "../../tenants.ts";
import { printResult } from "../../terminal/print-result.ts";
import type { AnswerInvitationOptions } from "./answer-options.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatFacts } from "../../terminal/table.ts";

export function addCancelCommand(invitations: Command, context: CliContext): void {
  const command = invitations
    .command("cancel")
    .argument(
      "<invitation>",
      "id or token of the invitation",
      offeringListed(
        readText("the id or token of an invitation"),
        "invitations list",
        "invitation_id",
      ),
    )
    .summary("cancel a pending invitation")
    .description("Cancel a pending invitation. To revoke accepted roles, use the API.")
    .addOption(ownerOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples("secplat invitations cancel 0f8fad5b-d9cb-469f-a165-70867728950e"),
    );
  addDatabaseOptions(command).action((invitation: string, options: AnswerInvitationOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const canceled = await cancelInvitation(
        store,
        invitation,
        systemClock.now(),
        await ownerOf(store, options),
      );
      printResult(context, options, canceled, () =>
        formatFacts([
          ["invitation", canceled.invitation_id],
          ["user", canceled.invitee_email],
          ["status", canceled.status],
        ]),
      );
    }),
  );
}
