import type { IncomingMessage } from "node:http";
import { actingUser } from "../../access/permissions.ts";
import { sha256 } from "../../access/secrets.ts";
import { Tokens, type Bearer } from "../../access/tokens.ts";
import type { Awaitable } from "../../foundation/awaitable.ts";
import { errors } from "../../foundation/errors.ts";
import type { Store } from "../../store/index.ts";
import type { BasicCredentials, Caller } from "../../calls/call.ts";
import { textProblem } from "../../validation/texts.ts";

const bearerHeader = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The hash of the token that a connection sent last, and the header with it. */
interface Known {
  readonly authorization: string;
  readonly hash: string;
}

/** Authenticates callers by bearer token (RFC 6750 §2.1). */
export class Authenticator {
  readonly #store: Store;
  readonly #tokens: Tokens;
  /** Most connections send one token, whose hash takes as long as the rest of a look-up. */
  readonly #known = new WeakMap<object, Known>();

  constructor({ store }: { readonly store: Store }) {
    this.#store = store;
    this.#tokens = new Tokens(store);
  }

  /** The caller of an `Authorization` header. Throws 401. */
  authenticate({ headers, socket }: IncomingMessage, now: Date): Awaitable<Caller> {
    const { authorization } = headers;
    if (authorization === undefined) {
      throw errors.missingToken("send Authorization: Bearer <token>, from POST /oauth2/token");
    }
    const bearer = this.#tokens.find(this.#hashOf(authorization, socket));
    return bearer instanceof Promise
      ? bearer.then((found) => this.#callerOf(found, now))
      : this.#callerOf(bearer, now);
  }

  #hashOf(authorization: string, connection: object): string {
    const known = this.#known.get(connection);
    if (known?.authorization === authorization) return known.hash;
    const hash = sha256(bearerToken(authorization));
    this.#known.set(connection, { authorization, hash });
    return hash;
  }

  #callerOf(bearer: Bearer | null, now: Date): Awaitable<Caller> {
    if (bearer === null) throw errors.invalidToken("unknown or revoked token");
    if (bearer.until <= now.getTime()) throw errors.invalidToken("the token has expired");
    const { clientId, cid, scopes, userUuid } = bearer;
    return userUuid === null
      ? { clientId, cid, scopes }
      : this.#withUser({ clientId, cid, scopes }, userUuid, now);
  }

  async #withUser(caller: Caller, userUuid: string, now: Date): Promise<Caller> {
    const user = await actingUser(this.#store, userUuid, caller.cid, now);
    if (user === null) throw errors.invalidToken("the client's user is inactive or deleted");
    return { ...caller, user };
  }
}

/** The token of an `Authorization` header. Throws 401 for a malformed header. */
function bearerToken(authorization: string): string {
  const token = bearerHeader.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw errors.invalidToken("the Authorization header is not of the form Bearer <token>");
}

/**
 * The credentials of an `Authorization: Basic` header. Null without the header, and for a token, which some
 * clients send with every request. Throws 401 for a malformed header.
 */
export function basicCredentials(authorization: string | undefined): BasicCredentials | null {
  if (authorization === undefined || bearerHeader.test(authorization)) return null;
  const encoded = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization)?.[1];
  const decoded = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  if (colon < 1) throw errors.invalidClient();
  return {
    clientId: decodeFormValue(decoded.slice(0, colon)),
    secret: decodeFormValue(decoded.slice(colon + 1)),
  };
}

/** RFC 6749 §2.3.1: id and secret are form-encoded in the Basic credentials. */
function decodeFormValue(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw errors.invalidClient();
  }
  if (textProblem(decoded) !== undefined) throw errors.invalidClient();
  return decoded;
}
