import { enterpriseAccounts } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { listIds } from "../../records/plain/read.ts";

export const queriesEnterpriseAccountGetV2: Handler<"queries.enterprise-account.get-v2"> = (call) =>
  listIds(call, enterpriseAccounts);
