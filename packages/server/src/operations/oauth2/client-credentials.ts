import { errors } from "../../foundation/errors.ts";
import type { BasicCredentials } from "../../calls/call.ts";

/** RFC 6749 §2.3: credentials come in the body or in HTTP Basic, never in both. */
export function clientCredentials(
  body: { readonly client_id?: string; readonly client_secret?: string },
  basic: BasicCredentials | null,
): BasicCredentials {
  const { client_id, client_secret } = body;
  if (basic !== null) {
    if (client_secret !== undefined || (client_id !== undefined && client_id !== basic.clientId)) {
      throw errors.invalidRequest([
        {
          at: "body.client_secret",
          message: "send credentials in the body or in HTTP Basic, not both",
        },
      ]);
    }
    return basic;
  }
  const missing = [
    ...(client_id === undefined ? ["client_id"] : []),
    ...(client_secret === undefined ? ["client_secret"] : []),
  ];
  if (client_id === undefined || client_secret === undefined) {
    throw errors.invalidRequest(
      missing.map((name) => ({ at: `body.${name}`, message: "is required without HTTP Basic" })),
    );
  }
  return { clientId: client_id, secret: client_secret };
}
