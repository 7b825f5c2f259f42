import type { Clock } from "../../src/foundation/clock.ts";
import { newIdentifier } from "../../src/foundation/identifiers.ts";
import type { Store, Tenant } from "../../src/store/types/types.ts";

/** The description of a tenant that does not exist yet. */
export const describeTenant = (clock: Clock, name: string, parent?: Tenant): Tenant => ({
  cid: newIdentifier(),
  name,
  parent_cid: parent?.cid ?? null,
  created_at: clock.now().toISOString(),
});

/** Creates a tenant without the catalogue's records, which a server does not add later either. */
export const createBareTenant = (store: Store, tenant: Tenant): Promise<void> =>
  store.directory.createTenant(tenant, async (transaction) => {
    await transaction.raiseCatalogue(laterVersion);
  });

/** A version of the catalogue that no entry has yet. */
const laterVersion = 1_000_000;
