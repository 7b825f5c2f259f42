import type { Command } from "commander";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addAcceptCommand } from "./accept.ts";
import { addCancelCommand } from "./cancel.ts";
import { addInvitationList } from "./list.ts";

export function addInvitationsCommand(program: Command, context: CliContext): void {
  const invitations = program
    .command("invitations")
    .description(
      "List, accept and cancel invitations. Granting a role to a user unknown to the tenant " +
        "creates an invitation. A running server applies every change at once.",
    );
  addInvitationList(invitations, context);
  addAcceptCommand(invitations, context);
  addCancelCommand(invitations, context);
}
