import {
  defaultPolicyName,
  lastPlace,
  preventionPolicies,
  storedPolicy,
  type StoredPolicy,
} from "../domain/prevention-policy/policies.ts";
import { shownSettings, type SettingValues } from "../domain/prevention-policy/settings.ts";
import type { Tenant } from "../store/index.ts";
import { catalogueId, type TenantEntry } from "./entries.ts";
import {
  settingsOf,
  type Platform,
  type SettingId,
  type SettingValue,
} from "../domain/prevention-policy/setting-definitions.ts";

/** The settings that a default policy enables: protection that needs no action from the users of hosts. */
const toggles: ReadonlySet<SettingId> = new Set<SettingId>([
  "CustomBlacklisting",
  "DetectOnWrite",
  "InterpreterProtection",
  "IntelPrevention",
  "NextGenAV",
  "PreventSuspiciousProcesses",
  "QuarantineOnWrite",
  "ScriptBasedExecutionMonitoring",
  "SensorTamperingProtection",
  "UnknownDetectionRelatedExecutables",
  "UnknownExecutables",
]);

const sliders: SettingValues = new Map([
  ["CloudAntiMalware", { detection: "AGGRESSIVE", prevention: "MODERATE" }],
  ["AdwarePUP", { detection: "MODERATE", prevention: "CAUTIOUS" }],
  ["OnSensorMLSlider", { detection: "MODERATE", prevention: "CAUTIOUS" }],
  ["OnSensorMLAdwarePUPSlider", { detection: "MODERATE", prevention: "CAUTIOUS" }],
]);

/** The policy of each platform for hosts without another policy. */
export const defaultPolicies: TenantEntry<StoredPolicy> = {
  resource: preventionPolicies,
  since: 1,
  records: (tenant) =>
    Object.keys(settingsOf).map((platform) => defaultPolicy(platform as Platform, tenant)),
};

function defaultPolicy(platform: Platform, { cid, created_at }: Tenant): StoredPolicy {
  const written = new Date(created_at).toISOString();
  return storedPolicy({
    id: catalogueId(cid, preventionPolicies.collection, platform),
    cid,
    name: defaultPolicyName,
    description: "What applies where no other policy does",
    platform_name: platform,
    enabled: true,
    groups: [],
    ioa_rule_groups: [],
    prevention_settings: shownSettings(platform, defaultValues(platform)),
    created_by: "platform",
    created_timestamp: written,
    modified_by: "platform",
    modified_timestamp: written,
    precedence: lastPlace,
  });
}

function defaultValues(platform: Platform): SettingValues {
  const on = settingsOf[platform].filter(({ id }) => toggles.has(id));
  return new Map<SettingId, SettingValue>([
    ...sliders,
    ...on.map(({ id }) => [id, { enabled: true }] as const),
  ]);
}
