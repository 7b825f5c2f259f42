import type { Store, Tenant } from "@security-platform/server";
import { CommandError, exitCodes } from "./terminal/exit-codes.ts";

/** The tenant named by its cid or its name; without a name, the only one there is. */
export async function findTenant(store: Store, given: string | undefined): Promise<Tenant> {
  const tenants = await store.directory.tenants();
  if (given === undefined) {
    const [only, ...others] = tenants;
    if (only !== undefined && others.length === 0) return only;
    throw new CommandError(
      tenants.length === 0
        ? "there is no tenant yet; make one with: secplat tenants create <name>"
        : `there are ${tenants.length} tenants; name one with --tenant (secplat tenants list shows them)`,
      exitCodes.usage,
    );
  }
  const matches = tenants.filter(({ cid, name }) => cid === given.toLowerCase() || name === given);
  const [match, ...others] = matches;
  if (match === undefined) {
    throw new CommandError(`no tenant has the cid or name ${given}`, exitCodes.usage);
  }
  if (others.length > 0) {
    throw new CommandError(
      `${matches.length} tenants are named ${given}; use the cid`,
      exitCodes.usage,
    );
  }
  return match;
}
