import { enterpriseAccountRules } from "../../domain/data-protection/enterprise-accounts.ts";
import type { Handler } from "../../handler.ts";
import { createRecords } from "../../records/plain/write.ts";

export const entitiesEnterpriseAccountCreate: Handler<"entities.enterprise-account.create"> = (
  call,
) => createRecords(call, enterpriseAccountRules, [{ at: "body", input: call.body }]);
