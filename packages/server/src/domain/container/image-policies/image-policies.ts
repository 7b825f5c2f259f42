import { fqlTables, type components } from "@security-platform/spec";
import type { Resource } from "../../../store/index.ts";

export type ImagePolicy = components["schemas"]["ImagePolicy"];
export type ImagePolicyCondition = components["schemas"]["ImagePolicyCondition"];
export type ImagePolicyGroup = components["schemas"]["ImagePolicyGroup"];
export type ImagePolicyConfig = components["schemas"]["ImagePolicyConfig"];

/** Policies that decide whether images may be deployed. Only imports create them. */
export const imagePolicies: Resource<ImagePolicy> = {
  name: "image_policies",
  collection: "container",
  fields: fqlTables["policies.image-prevention"].fields,
  id: "uuid",
  indexes: ["precedence"],
};

/** The only kind of image policy. */
export const imagePolicyConfig: ImagePolicyConfig = {
  uuid: "7e5a1c93-4b0d-4f82-9d36-a1c8e2f7b504",
  name: "Image prevention",
  description: "Decides from the newest scan of an image whether it may be deployed.",
  policy_type: "image-prevention-policy",
  policy_config_data: {
    actions: ["allow", "alert", "block"],
    condition_properties: [
      "severity",
      "cvss_score",
      "cve_id",
      "detection_type",
      "package_name",
      "fix_available",
      "registry",
      "repository",
      "tag",
    ],
  },
  version: "1",
};

/** The default decision: nothing is denied. */
export const implicitPolicy = (now: Date): ImagePolicy => ({
  uuid: "00000000-0000-4000-8000-000000000001",
  name: "Default",
  description: "Allows every image. It applies where no other policy does.",
  is_default: true,
  is_enabled: true,
  precedence: 100_000,
  policy_data: { groups: [], rules: [] },
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
});
