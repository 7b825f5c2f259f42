import type { Command } from "commander";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addListCommand } from "./list.ts";
import { addMembersCommand } from "./members.ts";

export function addHostGroupsCommand(program: Command, context: CliContext): void {
  const groups = program
    .command("host-groups")
    .description(
      "List host groups, and add hosts to static groups or remove them. " +
        "To create groups and hosts, use secplat import.",
    );
  addListCommand(groups, context);
  addMembersCommand(groups, "add", context);
  addMembersCommand(groups, "remove", context);
}
