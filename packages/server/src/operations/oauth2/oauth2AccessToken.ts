import { grantToken } from "../../access/tokens.ts";
import type { Handler } from "../../calls/handler.ts";
import { clientCredentials } from "./client-credentials.ts";

export const oauth2AccessToken: Handler<"oauth2AccessToken"> = async ({
  body = {},
  basic,
  context,
}) => {
  const { clientId, secret } = clientCredentials(body, basic);
  const grant = await grantToken(context.store, context.clock, context.config.limits.tokenSeconds, {
    clientId,
    secret,
    memberCid: body.member_cid,
    scope: body.scope,
  });
  return { kind: "object", object: grant };
};
