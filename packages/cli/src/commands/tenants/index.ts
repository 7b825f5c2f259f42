import type { Command } from "commander";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { addCreateCommand } from "./create.ts";
import { addDomainsCommand } from "./domains.ts";
import { addListCommand } from "./list.ts";

export function addTenantsCommand(program: Command, surroundings: Surroundings): void {
  const tenants = program
    .command("tenants")
    .description(
      "Create and list tenants. Every record belongs to one tenant and is invisible to all others.",
    );
  addCreateCommand(tenants, surroundings);
  addListCommand(tenants, surroundings);
  addDomainsCommand(tenants, surroundings);
}
