import { sha256 } from "../../access/secrets.ts";
import { authenticateClient } from "../../access/tokens.ts";
import { errors } from "../../foundation/errors.ts";
import type { Handler } from "../../calls/handler.ts";
import { clientCredentials } from "./client-credentials.ts";

/** RFC 7009: an unknown token, or another client's, gets the response of a revoked one. */
export const oauth2RevokeToken: Handler<"oauth2RevokeToken"> = async ({ body, basic, context }) => {
  const { clientId, secret } = clientCredentials(body, basic);
  const { directory } = context.store;
  const client = await authenticateClient(directory, context.clock, clientId, secret);
  if (client === null) throw errors.invalidClient();
  await directory.revokeToken(sha256(body.token), client.client_id);
  return { kind: "envelope" };
};
