import { enterpriseAccountRules } from "../../domain/data-protection/enterprise-accounts.ts";
import { usesOfEnterpriseAccounts } from "../../domain/data-protection/references.ts";
import type { Handler } from "../../handler.ts";
import { deleteRecords } from "../../records/plain/write.ts";

export const entitiesEnterpriseAccountDelete: Handler<"entities.enterprise-account.delete"> = (
  call,
) => deleteRecords(call, enterpriseAccountRules, call.query.ids, usesOfEnterpriseAccounts);
