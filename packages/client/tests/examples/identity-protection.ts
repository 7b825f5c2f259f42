import { expect } from "vitest";
import { filters } from "../../src/index.ts";
import type { OperationId } from "../../src/index.ts";
import type { Examples, World } from "./example.ts";

const like = (members: object): unknown => expect.objectContaining(members);
const anything: unknown = expect.anything();

const controller = { device_id: "1".repeat(32), hostname: "DC-1", platform_name: "Windows" };
const report = {
  device_id: controller.device_id,
  status: "attention",
  status_causes: ["directory_auditing_incomplete"],
};
const user = {
  entityId: "d4b7a1c0-52e6-4f38-9a0d-7c1e5b2f8a64",
  type: "USER",
  primaryDisplayName: "Mats Lindqvist",
  riskScore: 0.83,
};

const rule = {
  name: "Second factor",
  action: "MFA",
  trigger: "access",
  enabled: true,
  simulation_mode: true,
} as const;

/** A host that monitors identities. */
async function watched({ server, tenant }: World): Promise<void> {
  await server.importRecords(tenant, "hosts", [controller]);
  await server.importRecords(tenant, "sensors", [report]);
}

/** Returns the id of a new policy rule. */
async function newRule({ client }: World): Promise<string> {
  const { data } = await client.identityProtection.createPolicyRule({ body: rule });
  return data.resources[0]?.id ?? "";
}

export const identityProtectionExamples = {
  GetSensorAggregates: async (world) => {
    await watched(world);
    return {
      input: { body: { name: "by-status", type: "terms", field: "status" } },
      expected: [like({ name: "by-status", buckets: [like({ label: "attention", count: 1 })] })],
    };
  },
  GetSensorDetails: async (world) => {
    await watched(world);
    return {
      input: { body: { ids: [report.device_id] } },
      expected: [like({ ...report, hostname: "DC-1" })],
    };
  },
  QuerySensorsByFilter: async (world) => {
    await watched(world);
    return {
      input: {
        filter: filters.sensors.where("status").equals("attention"),
        sort: ["hostname.asc"],
        limit: 10,
      },
      expected: [report.device_id],
    };
  },
  delete_policy_rules: async (world) => ({
    input: { ids: [await newRule(world)] },
    expected: like({ resources: [], errors: [] }),
  }),
  get_policy_rules: async (world) => {
    const id = await newRule(world);
    return { input: { ids: [id] }, expected: like({ resources: [{ id, ...rule }] }) };
  },
  get_policy_rules_query: async (world) => {
    const id = await newRule(world);
    return {
      input: { enabled: true, simulation_mode: true, name: "second factor" },
      expected: like({ resources: [id] }),
    };
  },
  post_graphql: async ({ server, tenant }) => {
    await server.importRecords(tenant, "identity-entities", [user]);
    const { entityId, primaryDisplayName } = user;
    return {
      input: {
        body: {
          query: `query ($first: Int!) {
            entities(types: [USER], riskScoreSeverities: [HIGH], first: $first) {
              nodes { entityId primaryDisplayName }
              pageInfo { hasNextPage endCursor }
            }
          }`,
          variables: { first: 10 },
        },
      },
      expected: {
        meta: anything,
        data: {
          entities: {
            nodes: [{ entityId, primaryDisplayName }],
            pageInfo: { hasNextPage: false, endCursor: null },
          },
        },
        extensions: like({ consumedPoints: 11, remainingPoints: 499_989 }),
      },
    };
  },
  post_policy_rules: () => ({
    input: { body: { ...rule, destination: { entityId: { include: [user.entityId] } } } },
    expected: like({
      resources: [like({ ...rule, destination: { entityId: { include: [user.entityId] } } })],
    }),
  }),
} satisfies Partial<Examples<OperationId>>;
