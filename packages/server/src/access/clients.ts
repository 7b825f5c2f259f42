import { LRUCache } from "lru-cache";
import { newIdentifier } from "../foundation/identifiers.ts";
import type { Clock } from "../foundation/clock.ts";
import { perStore, type ApiClient, type Directory, type Store } from "../store/index.ts";
import { newSecret, sha256 } from "./secrets.ts";

/** A new client with its secret. The secret is not stored and cannot be read again. */
export interface NewClient extends ApiClient {
  readonly client_secret: string;
}

/** Creates an API client of a tenant. */
export async function createClient(
  directory: Directory,
  clock: Clock,
  client: Pick<ApiClient, "cid" | "name" | "scopes" | "user_uuid">,
): Promise<NewClient> {
  const created_at = clock.now().toISOString();
  const created: ApiClient = { client_id: newIdentifier(), ...client, created_at };
  const client_secret = newSecret();
  await directory.createClient(created, {
    hash: sha256(client_secret),
    created_at,
    expires_at: null,
  });
  return { ...created, client_secret };
}

/** Adds a secret. The previous one stays valid for `graceSeconds`, so that callers can switch. */
export async function rotateSecret(
  directory: Directory,
  clock: Clock,
  clientId: string,
  graceSeconds: number,
): Promise<string> {
  const now = clock.now();
  const secret = newSecret();
  await directory.rotateSecret(
    clientId,
    { hash: sha256(secret), created_at: now.toISOString(), expires_at: null },
    new Date(now.getTime() + graceSeconds * 1_000).toISOString(),
  );
  return secret;
}

const clientsKept = 10_000;
/** The users by client. Cached, because every request needs them and a client never changes its user. */
const cacheOf = perStore(
  () => new LRUCache<string, { readonly uuid: string | null }>({ max: clientsKept }),
);

/** The user that a client acts as. Null for a client that acts for itself. */
export async function boundUser(store: Store, clientId: string): Promise<string | null> {
  const cache = cacheOf(store);
  const cached = cache.get(clientId);
  if (cached !== undefined) return cached.uuid;
  const entry = await store.directory.client(clientId);
  const uuid = entry?.client.user_uuid ?? null;
  if (entry !== null) cache.set(clientId, { uuid });
  return uuid;
}
