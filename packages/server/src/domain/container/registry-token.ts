import { newUuid } from "../../foundation/identifiers.ts";
import { signToken, type TokenForm } from "./signed-token.ts";

/** Lifetime of a token in seconds. */
const tokenSeconds = 60 * 60;

export const registryTokenForm: TokenForm = { prefix: "irt_", purpose: "image registry token" };

export interface RegistryTokenContent {
  readonly id: string;
  /** The tenant for which the token was issued. */
  readonly cid: string;
  readonly client_id: string;
  /** Unix seconds. */
  readonly iat: number;
  readonly exp: number;
}

/** A token for pulling the images of the platform's own tools: the password of their registry. */
export function newRegistryToken(
  { cid, clientId }: { readonly cid: string; readonly clientId: string },
  key: string,
  now: Date,
): string {
  const iat = Math.floor(now.getTime() / 1_000);
  const content: RegistryTokenContent = {
    id: newUuid(),
    cid,
    client_id: clientId,
    iat,
    exp: iat + tokenSeconds,
  };
  return signToken(registryTokenForm, content, key);
}
