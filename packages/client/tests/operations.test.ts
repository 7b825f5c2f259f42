/** Calls operations in both forms on a server. */
import { clientHabits, operations } from "@security-platform/spec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, type Client, type Input, type OperationId } from "../src/index.ts";
import { operationTable, type OperationTable } from "../src/generated/operations.ts";
import { caseFileExamples } from "./examples/case-files.ts";
import { caseExamples } from "./examples/cases.ts";
import { companionExamples } from "./examples/companion.ts";
import { dataProtectionExamples } from "./examples/data-protection.ts";
import { dataProtectionPolicyExamples } from "./examples/data-protection-policies.ts";
import { downloadsExamples } from "./examples/downloads.ts";
import type { Examples, World } from "./examples/example.ts";
import { identityProtectionExamples } from "./examples/identity-protection.ts";
import { ioaExclusionsExamples } from "./examples/ioa-exclusions.ts";
import { iocExamples } from "./examples/ioc.ts";
import { oauth2Examples } from "./examples/oauth2.ts";
import { preventionPolicyExamples } from "./examples/prevention-policy.ts";
import { userManagementExamples } from "./examples/user-management.ts";
import { newHostFolder } from "./support/host-folder.ts";
import { deviceId, startLiveServer, type LiveServer } from "./support/live-server.ts";

/** Collections most of whose operations have no examples yet; the contract tests call them. */
const withoutExamples = ["caseManagement", "container"] as const;
type Exampled =
  | {
      readonly [
        Id in OperationId
      ]: OperationTable[Id]["collection"] extends (typeof withoutExamples)[number] ? never : Id;
    }[OperationId]
  | keyof typeof caseExamples
  | keyof typeof caseFileExamples;

const unexampled = new Set<string>(withoutExamples);
const exampled = operations()
  .map(({ id }) => id)
  .filter(
    (id): id is Exampled =>
      !unexampled.has(operationTable[id].collection) ||
      Object.hasOwn({ ...caseExamples, ...caseFileExamples }, id),
  );

/** One call of each operation; a missing one does not compile. */
const examples: Examples<Exampled> = {
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
const withCatalogue: ReadonlySet<string> = new Set(["dataProtection", "preventionPolicy"]);

async function newWorld(server: LiveServer, id: OperationId): Promise<World> {
  const needsCatalogue = withCatalogue.has(operationTable[id].collection);
  const tenant = await (needsCatalogue ? server.newTenant() : server.newBareTenant());
  const credentials = await server.newCredentials({ tenant });
  const client = await server.connect(credentials);
  const { clientId: client_id, clientSecret: client_secret } = credentials;
  return { server, tenant, client, credentials: { client_id, client_secret } };
}

type AnyMethod = (input: object) => Promise<Answer<OperationId>>;

function readableMethod(client: Client, id: OperationId): AnyMethod {
  const { collection, name } = operationTable[id];
  return (client[collection] as unknown as Readonly<Record<string, AnyMethod>>)[name] as AnyMethod;
}

const flat = ({ query, ...rest }: { readonly query?: object | undefined }): object => ({
  ...query,
  ...rest,
});

describe.each([
  ["the default representation", false],
  ["a server for existing clients", true],
])("in %s", (_, compat) => {
  let server: LiveServer;
  let finish: () => Promise<void>;
  const hosts = newHostFolder(deviceId);
  beforeAll(async () => {
    const config = { compat, rtrRoot: hosts.root };
    server = await startLiveServer(config, {}, (cleanUp) => (finish = cleanUp));
  });
  afterAll(async () => {
    await finish();
    hosts.remove();
  });

  describe.each(exampled.map((id) => [id]))("%s", (id) => {
    it.each([["by id"], ["by name"]])("%s", async (form) => {
      const world = await newWorld(server, id);
      const { input, expected } = await examples[id](world);
      const { client } = world;
      const answer =
        form === "by id"
          ? client.call(id, input as Input<typeof id>)
          : readableMethod(client, id)(flat(input));
      const { data, page, response } = await answer;
      expect(data).toEqual(expected);
      const { successStatus, collection } = operationTable[id];
      const { successStatus: known = successStatus } = clientHabits({ id, collection });
      expect(response.status).toBe(compat ? known : successStatus);
      expect(response.traceId).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.rateLimit?.limit).toBeGreaterThan(0);
      if (operationTable[id].paging === "none") expect(page).toBeUndefined();
      else expect(page?.limit).toBeGreaterThan(0);
    });
  });
});
