import { classifications } from "../../domain/data-protection/classifications.ts";
import { classificationRules } from "../../domain/data-protection/classifications/write.ts";
import { cloudApplicationRules } from "../../domain/data-protection/cloud-applications.ts";
import { contentPatternRules } from "../../domain/data-protection/content-patterns.ts";
import { enterpriseAccountRules } from "../../domain/data-protection/enterprise-accounts.ts";
import {
  cloudApplications,
  contentPatterns,
  enterpriseAccounts,
  fileTypes,
  localApplicationGroups,
  localApplications,
  sensitivityLabels,
  webLocationGroups,
  webLocations,
} from "../../domain/data-protection/kinds.ts";
import { localApplicationGroupRules } from "../../domain/data-protection/local-application-groups.ts";
import { localApplicationRules } from "../../domain/data-protection/local-applications.ts";
import { ofType } from "../../domain/data-protection/of-type.ts";
import { ofPlatform, policies } from "../../domain/data-protection/policies/policies.ts";
import {
  usesOfClassifications,
  usesOfCloudApplications,
  usesOfContentPatterns,
  usesOfEnterpriseAccounts,
  usesOfLocalApplicationGroups,
  usesOfSensitivityLabels,
  usesOfWebLocations,
} from "../../domain/data-protection/references.ts";
import { sensitivityLabelRules } from "../../domain/data-protection/sensitivity-labels.ts";
import { webLocationGroupRules } from "../../domain/data-protection/web-location-groups.ts";
import { webLocationRules } from "../../domain/data-protection/web-locations.ts";
import {
  changeAll,
  changeOne,
  createAll,
  createOne,
  deleteByIds,
  getByIds,
  queryIds,
} from "../../records/plain/handlers.ts";
import type { QueryOf } from "@security-platform/spec";
import { entitiesPolicyDeleteV2 } from "./entities.policy.delete.v2.ts";
import { entitiesPolicyPatchV2 } from "./entities.policy.patch.v2.ts";
import { entitiesPolicyPostV2 } from "./entities.policy.post.v2.ts";
import { entitiesPolicyPrecedencePostV1 } from "./entities.policy.precedence.post.v1.ts";

/** `domain/data-protection` defines the rules of most kinds. Only policies have handlers of their own. */
export const dataProtectionHandlers = {
  "entities.classification.delete.v2": deleteByIds(classificationRules, usesOfClassifications),
  "entities.classification.get.v2": getByIds(classifications),
  "entities.classification.patch.v2": changeAll(classificationRules, "resources"),
  "entities.classification.post.v2": createAll(classificationRules, "resources"),
  "entities.cloud-application.create": createOne(cloudApplicationRules),
  "entities.cloud-application.delete": deleteByIds(cloudApplicationRules, usesOfCloudApplications),
  "entities.cloud-application.get": getByIds(cloudApplications),
  "entities.cloud-application.patch": changeOne(cloudApplicationRules),
  "entities.content-pattern.create": createOne(contentPatternRules),
  "entities.content-pattern.delete": deleteByIds(contentPatternRules, usesOfContentPatterns),
  "entities.content-pattern.get": getByIds(contentPatterns),
  "entities.content-pattern.patch": changeOne(contentPatternRules),
  "entities.enterprise-account.create": createOne(enterpriseAccountRules),
  "entities.enterprise-account.delete": deleteByIds(
    enterpriseAccountRules,
    usesOfEnterpriseAccounts,
  ),
  "entities.enterprise-account.get": getByIds(enterpriseAccounts),
  "entities.enterprise-account.patch": changeOne(enterpriseAccountRules),
  "entities.file-type.get": getByIds(fileTypes),
  "entities.local-application-group.create": createOne(localApplicationGroupRules),
  "entities.local-application-group.delete": deleteByIds(
    localApplicationGroupRules,
    usesOfLocalApplicationGroups,
  ),
  "entities.local-application-group.get": getByIds(localApplicationGroups),
  "entities.local-application-group.patch": changeOne(localApplicationGroupRules),
  "entities.local-application.create": createOne(localApplicationRules),
  "entities.local-application.delete": deleteByIds(localApplicationRules),
  "entities.local-application.get": getByIds(localApplications),
  "entities.local-application.patch": changeOne(localApplicationRules),
  "entities.policy.delete.v2": entitiesPolicyDeleteV2,
  "entities.policy.get.v2": getByIds(policies),
  "entities.policy.patch.v2": entitiesPolicyPatchV2,
  "entities.policy.post.v2": entitiesPolicyPostV2,
  "entities.policy.precedence.post.v1": entitiesPolicyPrecedencePostV1,
  "entities.sensitivity-label.create-v2": createOne(sensitivityLabelRules),
  "entities.sensitivity-label.delete-v2": deleteByIds(
    sensitivityLabelRules,
    usesOfSensitivityLabels,
  ),
  "entities.sensitivity-label.get-v2": getByIds(sensitivityLabels),
  "entities.web-location-group.create": createOne(webLocationGroupRules),
  "entities.web-location-group.delete": deleteByIds(webLocationGroupRules),
  "entities.web-location-group.get": getByIds(webLocationGroups),
  "entities.web-location-group.patch": changeOne(webLocationGroupRules),
  "entities.web-location.create-v2": createAll(webLocationRules, "web_locations"),
  "entities.web-location.delete-v2": deleteByIds(webLocationRules, usesOfWebLocations),
  "entities.web-location.get-v2": getByIds(webLocations),
  "entities.web-location.patch-v2": changeOne(webLocationRules),
  "queries.classification.get.v2": queryIds(classifications),
  "queries.cloud-application.get-v2": queryIds(cloudApplications),
  "queries.content-pattern.get-v2": queryIds(contentPatterns),
  "queries.enterprise-account.get-v2": queryIds(enterpriseAccounts),
  "queries.file-type.get-v2": queryIds(fileTypes),
  "queries.local-application-group.get": queryIds(localApplicationGroups),
  "queries.local-application.get": queryIds(localApplications),
  "queries.policy.get.v2": queryIds(
    policies,
    ({ platform_name }: QueryOf<"queries.policy.get.v2">) => ofPlatform(platform_name),
  ),
  "queries.sensitivity-label.get-v2": queryIds(sensitivityLabels),
  "queries.web-location-group.get": queryIds(
    webLocationGroups,
    ({ type }: QueryOf<"queries.web-location-group.get">) => ofType(type),
  ),
  "queries.web-location.get-v2": queryIds(
    webLocations,
    ({ type }: QueryOf<"queries.web-location.get-v2">) => ofType(type),
  ),
};
