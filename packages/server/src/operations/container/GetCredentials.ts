import { newRegistryToken } from "../../domain/container/registry-token.ts";
import type { Handler } from "../../calls/handler.ts";

export const GetCredentials: Handler<"GetCredentials"> = ({ caller, context, now }) => ({
  kind: "records",
  records: [JSON.stringify({ token: newRegistryToken(caller, context.linkKey, now) })],
});
