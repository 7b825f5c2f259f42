import { enterpriseAccounts } from "../../domain/data-protection/kinds.ts";
import type { Handler } from "../../handler.ts";
import { getById } from "../../records/plain/read.ts";

export const entitiesEnterpriseAccountGet: Handler<"entities.enterprise-account.get"> = (call) =>
  getById(call, enterpriseAccounts);
