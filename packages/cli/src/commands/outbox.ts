import { listMails, systemClock } from "@security-platform/server/internal";
import type { Command } from "commander";
import type { CliContext } from "../terminal/cli-context.ts";
import { addListCommand } from "./listed/list-command.ts";

export function addOutboxCommand(program: Command, context: CliContext): void {
  addListCommand(program, context, {
    name: "outbox",
    summary: "show the mails sent by the platform",
    description: "Show the mails sent by the platform, newest first; --json includes their text.",
    plural: "mails",
    tenant: "the sending tenant",
    columns: ["created_at", "kind", "state", "to", "subject"],
    examples: ["secplat outbox --limit 10", "secplat outbox --json | jq -r '.[0].text'"],
    find: (store, { cid, limit }) => listMails(store, systemClock.now(), { cid, limit }),
  });
}
