import { errors } from "../../foundation/errors.ts";
import { basicCredentials } from "../requests/authenticate.ts";
import { isTenantId } from "../../validation/normal-form.ts";
import type { RawRequest } from "../validate/request.ts";

/**
 * A request of existing clients to the token operations, in the form of the document. Some send the same
 * credentials in the form and with HTTP Basic. For a `member_cid` that is not the id of a tenant, they expect
 * a 403.
 */
export function rewriteTokenRequest({ query, params, headers, body }: RawRequest): RawRequest {
  const { authorization } = headers as { readonly authorization?: string };
  const basic = basicCredentials(authorization);
  const { client_id, client_secret, ...others } = (body ?? {}) as Readonly<Record<string, string>>;
  const { member_cid } = others;
  if (member_cid !== undefined && !isTenantId(member_cid)) {
    throw errors.forbidden("access denied: member_cid is not the id of a tenant");
  }
  const isRepeated = client_id === basic?.clientId && client_secret === basic?.secret;
  return { query, params, headers, body: isRepeated ? others : body };
}
