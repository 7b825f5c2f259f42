import { newPolicy, policies, type Policy } from "../domain/data-protection/policies/policies.ts";
import {
  defaultProperties,
  type Platform,
} from "../domain/data-protection/policies/property-table.ts";
import { catalogueId, type TenantEntry } from "./entries.ts";

const platforms: readonly Platform[] = ["win", "mac"];

/** The policy of each platform for hosts without another policy. */
export const defaultDataProtectionPolicies: TenantEntry<Policy> = {
  resource: policies.resource,
  since: 2,
  records: ({ cid, created_at }) => {
    const written = { at: new Date(created_at).toISOString(), by: "platform" };
    return platforms.map((platform) =>
      newPolicy({
        id: catalogueId(cid, "data_protection_policies", platform),
        cid,
        name: "Default policy",
        description: "What applies where no other policy does",
        platform,
        isDefault: true,
        precedence: 0,
        properties: defaultProperties(platform),
        written,
      }),
    );
  },
};
