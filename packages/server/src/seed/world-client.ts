import { createClient, rotateSecret, type NewClient } from "../access/clients.ts";
import { everyScope } from "../access/roles.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Store } from "../store/index.ts";
import { knownClient } from "./known.ts";
import { asDocumented, otherThanDocumented } from "./known-ids.ts";

/**
 * A client with all scopes for a tenant of a generated world: with a new secret, the one that has worked there and sees
 * all cases; otherwise a new one with the name.
 */
export async function worldClient(
  store: Store,
  clock: Clock,
  { cid, name }: { readonly cid: string; readonly name: string },
): Promise<NewClient> {
  const { directory } = store;
  for (const known of [asDocumented, otherThanDocumented(cid)]) {
    const found = await directory.client(known(knownClient.id));
    if (found?.client.cid !== cid) continue;
    const client_secret = await rotateSecret(directory, clock, found.client.client_id, 0);
    return { ...found.client, client_secret };
  }
  return createClient(directory, clock, { cid, name, scopes: everyScope });
}
