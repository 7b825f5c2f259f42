import type { ImagePolicy } from "../../domain/container/image-policies/image-policies.ts";
import { imagePolicyImporter } from "../../imports/image-policies.ts";
import type { Cast } from "./cast.ts";
import { imported } from "./imported.ts";

/** Policies for images, which only imports create: one that blocks, one for a group of images, and the default. */
export function storyImagePolicies({ cid, known, at }: Cast): readonly ImagePolicy[] {
  const created_at = new Date(at(40, "12:00:00")).toISOString();
  const dates = { created_at, updated_at: created_at };
  const lines: readonly Parameters<typeof imagePolicyImporter.read>[0][] = [
    {
      uuid: known("0f6b9d3e-2c81-4a75-8e14-b7d5a3f9c620"),
      name: "Nothing critical in production",
      description: "Stops images with critical vulnerabilities.",
      precedence: 100,
      ...dates,
      policy_data: {
        groups: [
          {
            uuid: known("e7f9a1b3-5c0d-4e28-86f4-b2d0c8a6e4f1"),
            name: "Shop images",
            description: "What customers meet",
            policy_group_data: {
              conditions: [{ property: "repository", operator: "matches", values: ["shop/*"] }],
            },
            ...dates,
          },
        ],
        rules: [
          {
            action: "block",
            policy_rules_data: {
              conditions: [{ property: "severity", operator: "at_least", values: ["critical"] }],
            },
          },
        ],
      },
    },
    {
      uuid: known("c8e0a2f4-6b1d-4c93-8d57-3e9f1a5b7d62"),
      name: "Secrets in data images",
      description: "Reports images with keys and passwords.",
      precedence: 50,
      ...dates,
      policy_data: {
        groups: [
          {
            uuid: known("5f7b9d1e-3a2c-4e86-9048-c6a8e0f2b4d1"),
            name: "Data images",
            description: "What works with reports",
            policy_group_data: {
              conditions: [{ property: "repository", operator: "matches", values: ["data/*"] }],
            },
            ...dates,
          },
        ],
        rules: [
          {
            action: "alert",
            policy_rules_data: {
              conditions: [{ property: "detection_type", operator: "any_of", values: ["secret"] }],
            },
          },
        ],
      },
    },
  ];
  const now = new Date(created_at);
  return lines.map((line) => imported(imagePolicyImporter, line, { cid, now }));
}
