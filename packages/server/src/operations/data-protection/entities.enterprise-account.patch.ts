import { enterpriseAccountRules } from "../../domain/data-protection/enterprise-accounts.ts";
import type { Handler } from "../../handler.ts";
import { changeRecords } from "../../records/plain/write.ts";

export const entitiesEnterpriseAccountPatch: Handler<"entities.enterprise-account.patch"> = (
  call,
) =>
  changeRecords(call, enterpriseAccountRules, [
    { at: "body", id: call.query.id, changes: call.body },
  ]);
