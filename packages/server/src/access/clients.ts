import type { Clock } from "../clock.ts";
import type { ApiClient, Directory } from "../store/types.ts";
import { newIdentifier, newSecret, sha256 } from "./secrets.ts";

/** A client together with its secret, which is known at this moment only. */
export interface NewClient extends ApiClient {
  readonly client_secret: string;
}

/** Makes an API client of a tenant. */
export async function createClient(
  directory: Directory,
  clock: Clock,
  client: { cid: string; name: string; scopes: readonly string[] },
): Promise<NewClient> {
  const created_at = clock.now().toISOString();
  const made: ApiClient = { client_id: newIdentifier(), ...client, created_at };
  const client_secret = newSecret();
  await directory.createClient(made, { hash: sha256(client_secret), created_at, expires_at: null });
  return { ...made, client_secret };
}

/** Adds a secret. The one before it works on for `graceSeconds`, so that callers can move over. */
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
