import type { Command } from "commander";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { addListCommand } from "./list.ts";
import { addMembersCommand } from "./members.ts";

export function addHostGroupsCommand(program: Command, surroundings: Surroundings): void {
  const groups = program
    .command("host-groups")
    .description(
      "List host groups, and add hosts to static groups or remove them. " +
        "To create groups and hosts, use secplat import.",
    );
  addListCommand(groups, surroundings);
  addMembersCommand(groups, "add", surroundings);
  addMembersCommand(groups, "remove", surroundings);
}
