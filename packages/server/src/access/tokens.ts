import type { Awaitable } from "../foundation/awaitable.ts";
import type { Clock } from "../foundation/clock.ts";
import { errors } from "../foundation/errors.ts";
import { sameSecret } from "../secrets/same-secret.ts";
import type { ApiClient, Directory, Store } from "../store/index.ts";
import { boundUser } from "./clients.ts";
import { actingUser } from "./permissions.ts";
import { newToken, sha256 } from "./secrets.ts";

export interface TokenGrant {
  readonly access_token: string;
  readonly token_type: "bearer";
  /** Seconds. */
  readonly expires_in: number;
  /** Space-separated. */
  readonly scope: string;
}

export interface TokenRequest {
  readonly clientId: string;
  readonly secret: string;
  /** The child tenant to act for, instead of the client's tenant. */
  readonly memberCid?: string | undefined;
  /** Space-separated subset of the client's scopes (RFC 6749 §3.3). Absent: all scopes. */
  readonly scope?: string | undefined;
}

/** Used for the comparison if the client is unknown, so that both cases take the same time. */
const noDigest = sha256("");

/** The client with these credentials. Null if they are wrong. */
export async function authenticateClient(
  directory: Directory,
  clock: Clock,
  clientId: string,
  secret: string,
): Promise<ApiClient | null> {
  const storedClient = await directory.client(clientId);
  const now = clock.now().toISOString();
  const digest = sha256(secret);
  let matched = false;
  for (const { hash, expires_at } of storedClient?.secrets ?? [
    { hash: noDigest, expires_at: null },
  ]) {
    const live = expires_at === null || expires_at > now;
    if (sameSecret(hash, digest) && live) matched = true;
  }
  return matched && storedClient !== null ? storedClient.client : null;
}

/**
 * RFC 6749 §4.4. Throws 401 for wrong credentials or a user who may not sign in; 403 for a tenant that is not
 * a child, or in which the client's user has no role; 400 for a scope that is not granted.
 */
export async function grantToken(
  store: Store,
  clock: Clock,
  seconds: number,
  request: TokenRequest,
): Promise<TokenGrant> {
  const { directory } = store;
  const client = await authenticateClient(directory, clock, request.clientId, request.secret);
  if (client === null) throw errors.invalidClient();
  const cid = request.memberCid ?? client.cid;
  await requireOwnOrChild(directory, client, cid);
  await requireUser(store, clock, client, cid);
  const scopes = narrowedScopes(client, request.scope);
  const token = newToken();
  await directory.saveToken({
    hash: sha256(token),
    client_id: client.client_id,
    cid,
    scopes,
    expires_at: new Date(clock.now().getTime() + seconds * 1_000).toISOString(),
  });
  return {
    access_token: token,
    token_type: "bearer",
    expires_in: seconds,
    scope: scopes.join(" "),
  };
}

async function requireOwnOrChild(
  directory: Directory,
  client: ApiClient,
  cid: string,
): Promise<void> {
  if (cid === client.cid) return;
  const ancestors = await directory.ancestors(cid);
  if (ancestors.some((tenant) => tenant.cid === client.cid)) return;
  throw errors.forbidden(`access denied: member_cid ${cid} is not a child of the client's tenant`);
}

/**
 * Requires that the client's user may sign in. In a tenant other than the client's own, the user must also
 * have a role.
 */
async function requireUser(
  store: Store,
  clock: Clock,
  { user_uuid, cid: own }: ApiClient,
  cid: string,
): Promise<void> {
  if (user_uuid === undefined) return;
  const user = await actingUser(store, user_uuid, cid, clock.now());
  if (user === null) throw errors.invalidClientUser();
  if (cid === own || user.roles.length > 0) return;
  throw errors.forbidden(`access denied: ${user.uid} has no role in tenant ${cid}`);
}

function narrowedScopes(client: ApiClient, requested: string | undefined): readonly string[] {
  if (requested === undefined) return client.scopes;
  const scopes = [...new Set(requested.split(" ").filter((scope) => scope !== ""))];
  const denied = scopes.filter((scope) => !client.scopes.includes(scope));
  if (denied.length === 0 && scopes.length > 0) return scopes;
  throw errors.invalidRequest([
    {
      at: "body.scope",
      message:
        scopes.length === 0
          ? "contains no scope; omit it to get all scopes of the client"
          : `the client does not have ${denied.join(", ")}; it has ${client.scopes.join(", ")}`,
    },
  ]);
}

/** The bearer of a token. */
export interface Bearer {
  readonly clientId: string;
  readonly cid: string;
  readonly scopes: readonly string[];
  /** The user that the client acts as. */
  readonly userUuid: string | null;
  /** Milliseconds since 1970. */
  readonly until: number;
}

const tokensKept = 10_000;

/**
 * Looks up tokens. A result is cached until any process changes the database, so a revoked token is
 * refused at once.
 */
export class Tokens {
  readonly #store: Store;
  /** Bearers by the hash of their token, so that the cache holds no token. */
  readonly #bearers = new Map<string, Bearer>();
  #version: number | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns null for the hash of an unknown token. The caller checks the expiry. */
  find(hash: string): Awaitable<Bearer | null> {
    const version = this.#store.version();
    if (version === null || version !== this.#version) {
      this.#bearers.clear();
      this.#version = version;
    }
    return this.#bearers.get(hash) ?? this.#read(hash, version);
  }

  async #read(hash: string, version: number | null): Promise<Bearer | null> {
    const storedToken = await this.#store.directory.token(hash);
    if (storedToken === null) return null;
    const { client_id: clientId, cid, scopes, expires_at } = storedToken;
    const userUuid = await boundUser(this.#store, clientId);
    const bearer = { clientId, cid, scopes, userUuid, until: Date.parse(expires_at) };
    // A change during the read may affect this token. Then the result is not cached.
    if (version !== null && version === this.#version) {
      if (this.#bearers.size >= tokensKept) this.#bearers.clear();
      this.#bearers.set(hash, bearer);
    }
    return bearer;
  }
}
