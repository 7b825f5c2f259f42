import { accessTags } from "../domain/case-management/access-tags/access-tags.ts";
import { analyseAgain } from "../domain/case-management/cases/analyse-again.ts";
import { cases } from "../domain/case-management/kinds/cases.ts";
import { upgradedCase } from "../domain/case-management/cases/upgraded-case.ts";
import { followAssignees } from "../domain/case-management/cases/follow-users.ts";
import { caseFiles } from "../domain/case-management/files/files.ts";
import { followCases } from "../domain/case-management/files/follow-cases.ts";
import { deliveries } from "../domain/case-management/notifications/deliveries.ts";
import { notificationGroups } from "../domain/case-management/notifications/notification-groups.ts";
import { slas, slaSnapshots } from "../domain/case-management/kinds/slas.ts";
import { followGroups } from "../domain/case-management/slas/write-slas.ts";
import { followFields } from "../domain/case-management/templates/follow-fields.ts";
import { followSlas } from "../domain/case-management/templates/snapshots.ts";
import { followTemplates } from "../domain/case-management/templates/template-access-tags.ts";
import {
  caseFieldRecords,
  caseTemplates,
  templateSnapshots,
} from "../domain/case-management/kinds/templates.ts";
import { alerts, events } from "../domain/case-management/evidence/evidence-records.ts";
import { advisories } from "../domain/container/advisories/advisories.ts";
import { exportJobs } from "../domain/container/exports/export-jobs.ts";
import { imagePolicies } from "../domain/container/image-policies/image-policies.ts";
import { registries } from "../domain/container/registries/registries.ts";
import { registryImages } from "../domain/container/registries/registry-images.ts";
import { rowResources } from "../domain/container/scans/rows.ts";
import { scans } from "../domain/container/scans/scans.ts";
import { usedTickets } from "../domain/container/scans/ticket.ts";
import { classifications } from "../domain/data-protection/classifications.ts";
import { plainResources } from "../domain/data-protection/kinds.ts";
import { policies as dataProtectionPolicies } from "../domain/data-protection/policies/policies.ts";
import { downloads } from "../domain/downloads/downloads.ts";
import { executions } from "../domain/ioc/executions.ts";
import { hostGroups } from "../inventory/host-groups.ts";
import { hosts } from "../inventory/hosts.ts";
import { settleMembership } from "../inventory/settle-membership.ts";
import { exclusions } from "../domain/ioa-exclusions/exclusions.ts";
import { entities } from "../domain/identity-protection/entities.ts";
import { incidents } from "../domain/identity-protection/incidents.ts";
import { policyRules } from "../domain/identity-protection/policy-rules.ts";
import { refreshSensors, sensors } from "../domain/identity-protection/sensors.ts";
import { timelineEvents } from "../domain/identity-protection/timeline.ts";
import { indicators } from "../domain/ioc/indicators.ts";
import { preventionPolicies } from "../domain/prevention-policy/policies.ts";
import { showHostGroups, showRuleGroups } from "../domain/prevention-policy/shown-groups.ts";
import { ruleGroups } from "../inventory/rule-groups.ts";
import {
  followTenantGroups,
  followUserGroups,
  followUsers,
} from "../domain/user-management/grants/follow-grants.ts";
import { invitations } from "../domain/user-management/invitations/invitations.ts";
import { outbox } from "../mail/outbox.ts";
import { signingKeys } from "../access/signing-keys.ts";
import { tenantGroups, userGroups } from "../access/groups.ts";
import { uidDomains } from "../domain/user-management/users/uid-domains.ts";
import { customRoles } from "../access/tenant-roles.ts";
import { users } from "../access/users.ts";
import type { Reaction, Resource } from "../store/index.ts";

/** All kinds of records that the platform stores, and the reactions to their writes. */
export const resources: readonly Resource[] = [
  indicators,
  executions,
  advisories,
  scans,
  ...rowResources,
  usedTickets,
  exportJobs,
  imagePolicies,
  registries,
  registryImages,
  reacting(hosts, refreshSensors),
  reacting(hostGroups, settleMembership, showHostGroups),
  sensors,
  policyRules.resource,
  entities,
  incidents,
  timelineEvents,
  downloads,
  exclusions,
  preventionPolicies,
  reacting(ruleGroups, showRuleGroups),
  outbox,
  signingKeys,
  invitations,
  reacting(users, followUsers, followAssignees),
  uidDomains,
  reacting(userGroups, followUserGroups),
  reacting(tenantGroups, followTenantGroups),
  customRoles,
  ...plainResources,
  classifications.resource,
  dataProtectionPolicies.resource,
  reacting(alerts, analyseAgain("alerts")),
  reacting(events, analyseAgain("events")),
  accessTags,
  // `upgradedCase` imports `cases.ts`, so it is set here.
  reacting({ ...cases, upgrade: { revision: 2, run: upgradedCase } }, followCases),
  caseFiles,
  reacting(notificationGroups.resource, followGroups),
  reacting(slas.resource, followSlas),
  slaSnapshots,
  deliveries,
  reacting(caseTemplates.resource, followFields, followTemplates),
  templateSnapshots,
  caseFieldRecords.resource,
];

function reacting<Record extends object>(
  resource: Resource<Record>,
  ...reactions: readonly Reaction<Record>[]
): Resource<Record> {
  return { ...resource, reactions };
}
