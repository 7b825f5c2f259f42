import type { Command } from "commander";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addCreateCommand } from "./create.ts";
import { addDomainsCommand } from "./domains.ts";
import { addListCommand } from "./list.ts";

export function addTenantsCommand(program: Command, context: CliContext): void {
  const tenants = program
    .command("tenants")
    .description(
      "Create and list tenants. Every record belongs to one tenant and is invisible to all others.",
    );
  addCreateCommand(tenants, context);
  addListCommand(tenants, context);
  addDomainsCommand(tenants, context);
}
