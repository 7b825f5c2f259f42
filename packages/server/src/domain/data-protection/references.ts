/**
 * References between the kinds of this collection. A record cannot be deleted while another record refers
 * to it.
 */
import type { Use } from "../../records/plain/kind.ts";
import { classifications, type StoredClassification } from "./classifications.ts";
import { policies } from "./policies/policies.ts";
import {
  sensitivityLabels,
  webLocations,
  type CloudApplication,
  type ContentPattern,
  type EnterpriseAccount,
  type LocalApplicationGroup,
  type SensitivityLabel,
  type WebLocation,
} from "./kinds.ts";

export const usesOfCloudApplications: readonly Use<CloudApplication>[] = [
  { kind: webLocations, field: "application_id" },
];

/** A synced label refers to all accounts of its vendor with the same plug-in, not to a single record. */
export const labelsSyncedThrough: Use<EnterpriseAccount> = {
  kind: sensitivityLabels,
  field: "plugins_configuration_id",
  keyOf: (account) => account.plugin_config_id,
  means: (label, account) =>
    (label as SensitivityLabel).label_provider === account.application_group_id,
};

export const usesOfClassifications: readonly Use<StoredClassification>[] = [
  { kind: policies, field: "properties.classifications" },
];

export const usesOfContentPatterns: readonly Use<ContentPattern>[] = [
  { kind: classifications, field: "properties.content_patterns" },
];

export const usesOfEnterpriseAccounts: readonly Use<EnterpriseAccount>[] = [
  { kind: webLocations, field: "enterprise_account_id" },
  labelsSyncedThrough,
];

export const usesOfLocalApplicationGroups: readonly Use<LocalApplicationGroup>[] = [
  { kind: classifications, field: "local_application_group_ids" },
];

export const usesOfSensitivityLabels: readonly Use<SensitivityLabel>[] = [
  { kind: classifications, field: "properties.sensitivity_labels" },
];

export const usesOfWebLocations: readonly Use<WebLocation>[] = [
  { kind: classifications, field: "web_location_ids" },
];
