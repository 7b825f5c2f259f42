import { expect } from "vitest";
import { filters } from "../../src/index.ts";
import type { OperationId } from "../../src/index.ts";
import type { Examples, World } from "./example.ts";

const like = (members: object): unknown => expect.objectContaining(members);
const windows = { platform_name: "win" } as const;
const standard = like({ name: "Default policy", is_default: true });

/** Returns the id of a classification. */
async function newClassification({ client }: World, name = "Contracts"): Promise<string> {
  const { data } = await client.call("entities.classification.post.v2", {
    body: { resources: [{ name }] },
  });
  return data[0]?.id ?? "";
}

/** Returns the id of a disabled Windows policy. */
async function newPolicy({ client }: World, name = "Finance"): Promise<string> {
  const { data } = await client.call("entities.policy.post.v2", {
    ...windows,
    body: { resources: [{ name, description: "Contracts stay in the house" }] },
  });
  return data[0]?.id ?? "";
}

export const dataProtectionPolicyExamples = {
  "entities.classification.post.v2": () => ({
    input: {
      body: {
        resources: [
          {
            name: "Contracts",
            classification_properties: {
              protection_mode: "enforce",
              rules: [{ description: "Nothing on sticks", response_action: "block" }],
            },
          },
        ],
      },
    },
    expected: [
      like({
        name: "Contracts",
        classification_properties: like({
          protection_mode: "enforce",
          rules: [like({ response_action: "block", user_scope: "all" })],
        }),
      }),
    ],
  }),
  "entities.classification.get.v2": async (world) => {
    const id = await newClassification(world);
    return { input: { ids: [id] }, expected: [like({ id, name: "Contracts" })] };
  },
  "entities.classification.patch.v2": async (world) => {
    const id = await newClassification(world);
    return {
      input: { body: { resources: [{ id, name: "Bills" }] } },
      expected: [like({ id, name: "Bills" })],
    };
  },
  "entities.classification.delete.v2": async (world) => {
    const id = await newClassification(world);
    return { input: { ids: [id] }, expected: [like({ id })] };
  },
  "queries.classification.get.v2": async (world) => {
    await newClassification(world, "Bills");
    return {
      input: {
        filter: filters.classifications.where("name").equals("Contracts"),
        sort: ["modified_at.desc"],
      },
      expected: [await newClassification(world)],
    };
  },

  "entities.policy.post.v2": async (world) => ({
    input: {
      ...windows,
      body: {
        resources: [
          {
            name: "Finance",
            description: "Contracts stay in the house",
            policy_properties: {
              classifications: [await newClassification(world)],
              similarity_detection: true,
              similarity_threshold: "70",
            },
          },
        ],
      },
    },
    expected: [
      like({
        name: "Finance",
        is_enabled: false,
        policy_properties: like({ similarity_threshold: "70", inspection_depth: "balanced" }),
      }),
    ],
  }),
  "entities.policy.get.v2": async (world) => {
    const id = await newPolicy(world);
    return { input: { ids: [id] }, expected: [like({ id, name: "Finance" })] };
  },
  "entities.policy.patch.v2": async (world) => {
    const id = await newPolicy(world);
    return {
      input: {
        ...windows,
        body: {
          resources: [{ id, is_enabled: true, policy_properties: { euj_dialog_timeout: 60 } }],
        },
      },
      expected: [like({ id, is_enabled: true })],
    };
  },
  "entities.policy.delete.v2": async (world) => {
    const id = await newPolicy(world);
    return { input: { ids: [id], ...windows }, expected: [like({ id })] };
  },
  "entities.policy.precedence.post.v1": async (world) => {
    const ids = [await newPolicy(world, "Second"), await newPolicy(world, "First")].toReversed();
    return {
      input: { body: { resources: [{ platform: "win", precedence: ids }] } },
      expected: [like({ name: "First" }), like({ name: "Second" }), standard],
    };
  },
  "queries.policy.get.v2": async (world) => {
    const id = await newPolicy(world);
    const policies = filters["data-protection-policies"];
    return {
      input: {
        ...windows,
        filter: policies.and(
          policies.where("is_default").equals(false),
          policies.where("properties.enable_content_inspection").equals(true),
        ),
        sort: ["precedence.asc"],
      },
      expected: [id],
    };
  },
} satisfies Partial<Examples<OperationId>>;
