import { listInvitations, systemClock } from "@security-platform/server/internal";
import type { Command } from "commander";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addListCommand } from "../listed/list-command.ts";

export const addInvitationList = (parent: Command, context: CliContext): void =>
  addListCommand(parent, context, {
    summary: "list the invitations",
    description: "List the invitations with any status, newest first.",
    plural: "invitations",
    tenant: "the inviting tenant",
    columns: ["invitation_id", "status", "invitee_email", "target_cid", "expires_at"],
    examples: [
      "secplat invitations list",
      "secplat invitations list --json | jq -r '.[] | select(.status == \"pending\") | .invitee_email'",
    ],
    find: (store, { cid, limit }) => listInvitations(store, systemClock.now(), { cid, limit }),
  });
