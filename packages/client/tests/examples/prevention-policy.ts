import { expect } from "vitest";
import { filters } from "../../src/index.ts";
import type { OperationId } from "../../src/index.ts";
import type { Examples, World } from "./example.ts";

const policies = filters["prevention-policies"];
const anything: unknown = expect.anything();
const like = (members: object): unknown => expect.objectContaining(members);

const laptop = {
  device_id: "1".repeat(32),
  hostname: "LAPTOP-1",
  platform_name: "Windows",
  tags: ["lab"],
};

/** A disabled Windows policy; returns its id. */
async function newPolicy({ client }: World, name = "Lab"): Promise<string> {
  const { data } = await client.preventionPolicy.createPolicies({
    body: { resources: [{ name, platform_name: "Windows" }] },
  });
  return data[0]?.id ?? "";
}

/** The default Windows policy. */
async function defaultPolicy({ client }: World): Promise<string> {
  const { data } = await client.preventionPolicy.listPolicyIds({
    filter: policies.and(
      policies.where("name").equals("platform_default"),
      policies.where("platform_name").equals("Windows"),
    ),
  });
  return data[0] ?? "";
}

export const preventionPolicyExamples = {
  createPreventionPolicies: () => ({
    input: {
      body: {
        resources: [
          {
            name: "Lab",
            platform_name: "Linux",
            settings: [{ id: "NextGenAV", value: { enabled: true } }],
          },
        ],
      },
    },
    expected: [like({ name: "Lab", enabled: false, groups: [] })],
  }),
  deletePreventionPolicies: async (world) => {
    const id = await newPolicy(world);
    return { input: { ids: [id] }, expected: [id] };
  },
  getPreventionPolicies: async (world) => {
    const id = await newPolicy(world);
    return { input: { ids: [id] }, expected: [like({ id, name: "Lab" })] };
  },
  performPreventionPoliciesAction: async (world) => {
    const id = await newPolicy(world);
    const group = "2".repeat(32);
    await world.server.importRecords(world.tenant, "host-groups", [
      { id: group, name: "Lab", group_type: "dynamic", assignment_rule: "tags:'lab'" },
    ]);
    return {
      input: {
        action_name: "add-host-group",
        body: { ids: [id], action_parameters: [{ name: "group_id", value: group }] },
      },
      expected: [like({ id, groups: [like({ id: group, group_type: "dynamic" })] })],
    };
  },
  queryCombinedPreventionPolicies: async (world) => {
    const id = await newPolicy(world);
    return {
      input: {
        filter: policies.where("platform_name").equals("Windows"),
        sort: ["precedence.asc"],
        limit: 10,
      },
      expected: [like({ id }), like({ name: "platform_default" })],
    };
  },
  queryCombinedPreventionPolicyMembers: async (world) => {
    await world.server.importRecords(world.tenant, "hosts", [laptop]);
    return {
      input: {
        id: await defaultPolicy(world),
        filter: filters.hosts.where("tags").equals("lab"),
        sort: ["hostname"],
      },
      expected: [like({ ...laptop, groups: [] })],
    };
  },
  queryPreventionPolicies: async (world) => {
    await newPolicy(world);
    return {
      input: { filter: policies.where("enabled").equals(false), offset: 0 },
      expected: [anything],
    };
  },
  queryPreventionPolicyMembers: async (world) => {
    await world.server.importRecords(world.tenant, "hosts", [laptop]);
    return {
      input: { id: await defaultPolicy(world), limit: 1 },
      expected: [laptop.device_id],
    };
  },
  setPreventionPoliciesPrecedence: async (world) => {
    const ids = [await newPolicy(world, "Second"), await newPolicy(world, "First")].toReversed();
    return { input: { body: { ids, platform_name: "Windows" } }, expected: ids };
  },
  updatePreventionPolicies: async (world) => {
    const id = await newPolicy(world);
    return {
      input: { body: { resources: [{ id, description: "For the lab" }] } },
      expected: [like({ id, name: "Lab", description: "For the lab" })],
    };
  },
} satisfies Partial<Examples<OperationId>>;
