import type { OperationId } from "../../src/index.ts";
import { caseFileExamples } from "./case-files.ts";
import { caseExamples } from "./cases.ts";
import { companionExamples } from "./companion.ts";
import { dataProtectionExamples } from "./data-protection.ts";
import { dataProtectionPolicyExamples } from "./data-protection-policies.ts";
import { downloadsExamples } from "./downloads.ts";
import { identityProtectionExamples } from "./identity-protection.ts";
import { ioaExclusionsExamples } from "./ioa-exclusions.ts";
import { iocExamples } from "./ioc.ts";
import { oauth2Examples } from "./oauth2.ts";
import { preventionPolicyExamples } from "./prevention-policy.ts";
import { userManagementExamples } from "./user-management.ts";
import type { Examples, World } from "./example.ts";
import type { LiveServer } from "../support/live-server.ts";

/** One call of each operation. */
export const everyExample: Partial<Examples<OperationId>> = {
  ...caseExamples,
  ...caseFileExamples,
  ...companionExamples,
  ...dataProtectionExamples,
  ...dataProtectionPolicyExamples,
  ...downloadsExamples,
  ...identityProtectionExamples,
  ...ioaExclusionsExamples,
  ...iocExamples,
  ...oauth2Examples,
  ...preventionPolicyExamples,
  ...userManagementExamples,
};

/** Collections whose examples use the catalogue's records. */
const withCatalogue: ReadonlySet<string> = new Set(["data-protection", "prevention-policy"]);

/** A new tenant for an example of this collection. */
export async function newWorld(server: LiveServer, collection: string): Promise<World> {
  const needsCatalogue = withCatalogue.has(collection);
  const tenant = await (needsCatalogue ? server.newTenant() : server.newBareTenant());
  const credentials = await server.newCredentials({ tenant });
  const client = await server.connect(credentials);
  const { clientId: client_id, clientSecret: client_secret } = credentials;
  return { server, tenant, client, credentials: { client_id, client_secret } };
}
