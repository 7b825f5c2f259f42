import { acceptInvitation, systemClock } from "@security-platform/server/internal";
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

export function addAcceptCommand(invitations: Command, context: CliContext): void {
  const command = invitations
    .command("accept")
    .argument(
      "<invitation>",
      "token or id of the invitation",
      offeringListed(
        readText("the token or id of an invitation"),
        "invitations list",
        "invitation_id",
      ),
    )
    .summary("accept an invitation for the invited user")
    .description(
      "Accept an invitation for the invited user, who then has its roles. " +
        "Roles that have expired meanwhile are not granted.",
    )
    .addOption(ownerOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples("secplat invitations accept 0f8fad5b-d9cb-469f-a165-70867728950e"),
    );
  addDatabaseOptions(command).action((invitation: string, options: AnswerInvitationOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const accepted = await acceptInvitation(
        store,
        invitation,
        systemClock.now(),
        await ownerOf(store, options),
      );
      const { invitation_id, invitee_email, target_cid } = accepted.invitation;
      printResult(context, options, { ...accepted.invitation, role_ids: accepted.role_ids }, () =>
        formatFacts([
          ["invitation", invitation_id],
          ["user", invitee_email],
          ["tenant", target_cid],
          ["roles", accepted.role_ids.join(" ")],
        ]),
      );
    }),
  );
}
