import { operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { caseManagementHandlers } from "./case-management/index.ts";
import { companionHandlers } from "./companion/index.ts";
import { containerHandlers } from "./container/index.ts";
import { dataProtectionHandlers } from "./data-protection/index.ts";
import { downloadsHandlers } from "./downloads/index.ts";
import { identityProtectionHandlers } from "./identity-protection/index.ts";
import { ioaExclusionsHandlers } from "./ioa-exclusions/index.ts";
import { iocHandlers } from "./ioc/index.ts";
import { operationHandlers } from "./index.ts";
import { oauth2Handlers } from "./oauth2/index.ts";
import { preventionPolicyHandlers } from "./prevention-policy/index.ts";
import { userManagementHandlers } from "./user-management/index.ts";
import { unimplementedOperations } from "./unimplemented.ts";

test("what is not implemented is what the document has and no collection handles", () => {
  const handled = new Set<string>(
    Object.keys({
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
    }),
  );
  const documented = operations().map(({ id }) => id as string);
  const left = documented.filter((id) => !handled.has(id));
  expect(unimplementedOperations.toSorted()).toEqual(left.toSorted());
  process.stdout.write(
    `${unimplementedOperations.length} of ${documented.length} operations are not implemented yet\n`,
  );
});

test("every operation of the document is answered by something", () => {
  const documented = operations().map(({ id }) => id);
  expect(Object.keys(operationHandlers).toSorted()).toEqual(documented.toSorted());
});
