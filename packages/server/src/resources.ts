import { classifications } from "./domain/data-protection/classifications/classifications.ts";
import { plainResources } from "./domain/data-protection/kinds.ts";
import { policies as dataProtectionPolicies } from "./domain/data-protection/policies/policies.ts";
import { downloads } from "./domain/downloads/downloads.ts";
import { executions } from "./domain/ioc/executions.ts";
import { hostGroups } from "./inventory/host-groups.ts";
import { hosts } from "./inventory/hosts.ts";
import { exclusions } from "./domain/ioa-exclusions/exclusions.ts";
import { entities } from "./domain/identity-protection/entities.ts";
import { incidents } from "./domain/identity-protection/incidents.ts";
import { policyRules } from "./domain/identity-protection/policy-rules.ts";
import { sensors } from "./domain/identity-protection/sensors.ts";
import { timelineEvents } from "./domain/identity-protection/timeline.ts";
import { indicators } from "./domain/ioc/indicators.ts";
import { preventionPolicies } from "./domain/prevention-policy/policies.ts";
import { ruleGroups } from "./inventory/rule-groups.ts";
import { invitations } from "./domain/user-management/invitations.ts";
import { outbox } from "./domain/user-management/outbox.ts";
import { tenantGroups, userGroups } from "./access/groups.ts";
import { uidDomains } from "./domain/user-management/uid-domains.ts";
import { customRoles } from "./access/tenant-roles.ts";
import { users } from "./access/users.ts";
import type { Resource } from "./store/types.ts";

/** Every kind of record the platform stores. */
export const resources: readonly Resource[] = [
  indicators,
  executions,
  hosts,
  hostGroups,
  sensors,
  policyRules,
  entities,
  incidents,
  timelineEvents,
  downloads,
  exclusions,
  preventionPolicies,
  ruleGroups,
  outbox,
  invitations,
  users,
  uidDomains,
  userGroups,
  tenantGroups,
  customRoles,
  ...plainResources,
  classifications.resource,
  dataProtectionPolicies.resource,
];
