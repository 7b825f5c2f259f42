import type { Command } from "commander";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { addAcceptCommand } from "./accept.ts";
import { addCancelCommand } from "./cancel.ts";
import { addInvitationList } from "./list.ts";

export function addInvitationsCommand(program: Command, surroundings: Surroundings): void {
  const invitations = program
    .command("invitations")
    .description(
      "List, accept and cancel invitations. Granting a role to a user unknown to the tenant " +
        "creates an invitation. A running server applies every change at once.",
    );
  addInvitationList(invitations, surroundings);
  addAcceptCommand(invitations, surroundings);
  addCancelCommand(invitations, surroundings);
}
