import { nearest } from "@security-platform/fql";
import type { Store, Tenant } from "@security-platform/server/internal";
import { readCredentials } from "./demo/credentials.ts";
import { dataFolder } from "./database/url.ts";
import type { DatabaseOptions } from "./database/options.ts";
import { CommandError } from "./terminal/exit-codes.ts";
import { printable } from "./terminal/printable.ts";
import type { CliContext } from "./terminal/cli-context.ts";

/** The tenant with this cid or name; `option` is the option's name, for errors. */
export async function findTenant(store: Store, cidOrName: string, option: string): Promise<Tenant> {
  const tenants = await store.directory.tenants();
  const byCid = tenants.find(({ cid }) => cid === cidOrName.toLowerCase());
  if (byCid !== undefined) return byCid;
  const [match, ...others] = tenants.filter(({ name }) => name === cidOrName);
  if (match === undefined) {
    throw new CommandError(
      `${option}: no tenant has the cid or name "${printable(cidOrName)}"${nearestTenant(cidOrName, tenants)}`,
    );
  }
  if (others.length === 0) return match;
  const cids = [match, ...others].map(({ cid }) => cid).join(", ");
  throw new CommandError(
    `${option}: ${others.length + 1} tenants are named "${printable(cidOrName)}"; use a cid: ${cids}`,
  );
}

/** The cid of `--tenant`; undefined without it. */
export const ownerOf = async (
  store: Store,
  { tenant }: { readonly tenant?: string },
): Promise<string | undefined> =>
  tenant === undefined ? undefined : (await findTenant(store, tenant, "--tenant")).cid;

/** The tenant of `--tenant`; by default the demo's, or the only tenant. */
export async function chosenTenant(
  store: Store,
  options: DatabaseOptions & { readonly tenant?: string },
  context: CliContext,
): Promise<Tenant> {
  if (options.tenant !== undefined) return findTenant(store, options.tenant, "--tenant");
  const tenants = await store.directory.tenants();
  const demo = readCredentials(dataFolder(options, context));
  const tenant =
    tenants.find(({ cid }) => cid === demo?.cid) ?? (tenants.length === 1 ? tenants[0] : undefined);
  if (tenant !== undefined) return tenant;
  throw new CommandError(
    tenants.length === 0
      ? "there are no tenants yet; create one with: secplat tenants create <name>"
      : `there are ${tenants.length} tenants; choose one with --tenant (secplat tenants list shows all tenants)`,
  );
}

function nearestTenant(cidOrName: string, tenants: readonly Tenant[]): string {
  if (tenants.length === 0) return "; there are none yet: secplat tenants create <name>";
  const near =
    nearest(
      cidOrName,
      tenants.map(({ name }) => name),
    ) ??
    nearest(
      cidOrName,
      tenants.map(({ cid }) => cid),
    );
  const tenant = tenants.find(({ name, cid }) => name === near || cid === near);
  return tenant === undefined
    ? " (secplat tenants list shows all tenants)"
    : `; the nearest is "${printable(tenant.name)}" (${tenant.cid})`;
}
