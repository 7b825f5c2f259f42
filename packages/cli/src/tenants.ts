import { nearest } from "@security-platform/fql";
import type { Store, Tenant } from "@security-platform/server";
import { readCredentials } from "./demo/credentials.ts";
import { dataFolder } from "./database/url.ts";
import type { DatabaseOptions } from "./database/options.ts";
import { CommandError } from "./terminal/exit-codes.ts";
import { printable } from "./terminal/printable.ts";
import type { Surroundings } from "./terminal/surroundings.ts";

/** The tenant with this cid or name; `option` is how the command line calls it. */
export async function findTenant(store: Store, given: string, option: string): Promise<Tenant> {
  const tenants = await store.directory.tenants();
  const byCid = tenants.find(({ cid }) => cid === given.toLowerCase());
  if (byCid !== undefined) return byCid;
  const [match, ...others] = tenants.filter(({ name }) => name === given);
  if (match === undefined) {
    throw new CommandError(
      `${option}: no tenant has the cid or name "${printable(given)}"${nearestTenant(given, tenants)}`,
    );
  }
  if (others.length === 0) return match;
  const cids = [match, ...others].map(({ cid }) => cid).join(", ");
  throw new CommandError(
    `${option}: ${others.length + 1} tenants are named "${printable(given)}"; use a cid: ${cids}`,
  );
}

/** The tenant of `--tenant`; without it the demo's, or the only one there is. */
export async function chosenTenant(
  store: Store,
  options: DatabaseOptions & { readonly tenant?: string },
  surroundings: Surroundings,
): Promise<Tenant> {
  if (options.tenant !== undefined) return findTenant(store, options.tenant, "--tenant");
  const tenants = await store.directory.tenants();
  const demo = readCredentials(dataFolder(options, surroundings));
  const chosen =
    tenants.find(({ cid }) => cid === demo?.cid) ?? (tenants.length === 1 ? tenants[0] : undefined);
  if (chosen !== undefined) return chosen;
  throw new CommandError(
    tenants.length === 0
      ? "there is no tenant yet; make one with: secplat tenants create <name>"
      : `there are ${tenants.length} tenants; name one with --tenant (secplat tenants list shows them)`,
  );
}

function nearestTenant(given: string, tenants: readonly Tenant[]): string {
  if (tenants.length === 0) return "; there is none yet: secplat tenants create <name>";
  const near =
    nearest(
      given,
      tenants.map(({ name }) => name),
    ) ??
    nearest(
      given,
      tenants.map(({ cid }) => cid),
    );
  const tenant = tenants.find(({ name, cid }) => name === near || cid === near);
  return tenant === undefined
    ? " (secplat tenants list shows them)"
    : `; the nearest is "${printable(tenant.name)}" (${tenant.cid})`;
}
