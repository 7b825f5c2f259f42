import type { OperationHandlers } from "../calls/handler.ts";
import type { Authorizations } from "../access/authorize.ts";
import { caseManagementHandlers } from "./case-management/index.ts";
import { companionAuthorizations } from "./companion/authorizations.ts";
import { companionHandlers } from "./companion/index.ts";
import { containerHandlers } from "./container/index.ts";
import { dataProtectionHandlers } from "./data-protection/index.ts";
import { downloadsHandlers } from "./downloads/index.ts";
import { identityProtectionHandlers } from "./identity-protection/index.ts";
import { ioaExclusionsHandlers } from "./ioa-exclusions/index.ts";
import { iocHandlers } from "./ioc/index.ts";
import { oauth2Handlers } from "./oauth2/index.ts";
import { preventionPolicyHandlers } from "./prevention-policy/index.ts";
import { userManagementAuthorizations } from "./user-management/authorizations.ts";
import { userManagementHandlers } from "./user-management/index.ts";

/** Does not compile while an operation has no handler. */
export const operationHandlers: OperationHandlers = {
  ...caseManagementHandlers,
  ...companionHandlers,
  ...containerHandlers,
  ...dataProtectionHandlers,
  ...oauth2Handlers,
  ...downloadsHandlers,
  ...iocHandlers,
  ...identityProtectionHandlers,
  ...ioaExclusionsHandlers,
  ...preventionPolicyHandlers,
  ...userManagementHandlers,
};

/** What operations need of users beyond their scopes. */
export const operationAuthorizations: Authorizations = {
  ...companionAuthorizations,
  ...userManagementAuthorizations,
};
