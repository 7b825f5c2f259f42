import { errors } from "../errors.ts";
import { boundUser } from "../access/clients.ts";
import { actingUser } from "../access/permissions.ts";
import { sha256 } from "../access/secrets.ts";
import type { Context } from "../context.ts";
import type { BasicCredentials, Caller } from "./handler.ts";

const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The caller behind a bearer token (RFC 6750 §2.1), or 401. */
export async function authenticate(
  context: Context,
  authorization: string | undefined,
  now: Date,
): Promise<Caller> {
  if (authorization === undefined) {
    throw errors.missingToken("send Authorization: Bearer <token>, from POST /oauth2/token");
  }
  const token = bearer.exec(authorization)?.[1];
  if (token === undefined) {
    throw errors.invalidToken("the Authorization header is not of the form Bearer <token>");
  }
  const found = await context.store.directory.token(sha256(token));
  if (found === null) throw errors.invalidToken("unknown or revoked token");
  if (found.expires_at <= now.toISOString()) throw errors.invalidToken("the token has expired");
  const { client_id: clientId, cid, scopes } = found;
  const uuid = await boundUser(context.store, clientId);
  if (uuid === null) return { clientId, cid, scopes };
  const user = await actingUser(context.store, uuid, cid, now);
  if (user === null) throw errors.invalidToken("the client's user is inactive or gone");
  return { clientId, cid, scopes, user };
}

/** Credentials of an `Authorization: Basic` header; null without the header, 401 for a broken one. */
export function basicCredentials(authorization: string | undefined): BasicCredentials | null {
  if (authorization === undefined) return null;
  const encoded = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization)?.[1];
  const decoded = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  if (colon < 1) throw errors.invalidClient();
  return {
    clientId: decodeFormValue(decoded.slice(0, colon)),
    secret: decodeFormValue(decoded.slice(colon + 1)),
  };
}

/** RFC 6749 §2.3.1: id and secret are form-encoded inside Basic. */
function decodeFormValue(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw errors.invalidClient();
  }
}
