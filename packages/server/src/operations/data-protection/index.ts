import { entitiesClassificationDeleteV2 } from "./entities.classification.delete.v2.ts";
import { entitiesClassificationGetV2 } from "./entities.classification.get.v2.ts";
import { entitiesClassificationPatchV2 } from "./entities.classification.patch.v2.ts";
import { entitiesClassificationPostV2 } from "./entities.classification.post.v2.ts";
import { entitiesCloudApplicationCreate } from "./entities.cloud-application.create.ts";
import { entitiesCloudApplicationDelete } from "./entities.cloud-application.delete.ts";
import { entitiesCloudApplicationGet } from "./entities.cloud-application.get.ts";
import { entitiesCloudApplicationPatch } from "./entities.cloud-application.patch.ts";
import { entitiesContentPatternCreate } from "./entities.content-pattern.create.ts";
import { entitiesContentPatternDelete } from "./entities.content-pattern.delete.ts";
import { entitiesContentPatternGet } from "./entities.content-pattern.get.ts";
import { entitiesContentPatternPatch } from "./entities.content-pattern.patch.ts";
import { entitiesEnterpriseAccountCreate } from "./entities.enterprise-account.create.ts";
import { entitiesEnterpriseAccountDelete } from "./entities.enterprise-account.delete.ts";
import { entitiesEnterpriseAccountGet } from "./entities.enterprise-account.get.ts";
import { entitiesEnterpriseAccountPatch } from "./entities.enterprise-account.patch.ts";
import { entitiesFileTypeGet } from "./entities.file-type.get.ts";
import { entitiesLocalApplicationGroupCreate } from "./entities.local-application-group.create.ts";
import { entitiesLocalApplicationGroupDelete } from "./entities.local-application-group.delete.ts";
import { entitiesLocalApplicationGroupGet } from "./entities.local-application-group.get.ts";
import { entitiesLocalApplicationGroupPatch } from "./entities.local-application-group.patch.ts";
import { entitiesLocalApplicationCreate } from "./entities.local-application.create.ts";
import { entitiesLocalApplicationDelete } from "./entities.local-application.delete.ts";
import { entitiesLocalApplicationGet } from "./entities.local-application.get.ts";
import { entitiesLocalApplicationPatch } from "./entities.local-application.patch.ts";
import { entitiesPolicyDeleteV2 } from "./entities.policy.delete.v2.ts";
import { entitiesPolicyGetV2 } from "./entities.policy.get.v2.ts";
import { entitiesPolicyPatchV2 } from "./entities.policy.patch.v2.ts";
import { entitiesPolicyPostV2 } from "./entities.policy.post.v2.ts";
import { entitiesPolicyPrecedencePostV1 } from "./entities.policy.precedence.post.v1.ts";
import { entitiesSensitivityLabelCreateV2 } from "./entities.sensitivity-label.create-v2.ts";
import { entitiesSensitivityLabelDeleteV2 } from "./entities.sensitivity-label.delete-v2.ts";
import { entitiesSensitivityLabelGetV2 } from "./entities.sensitivity-label.get-v2.ts";
import { entitiesWebLocationGroupCreate } from "./entities.web-location-group.create.ts";
import { entitiesWebLocationGroupDelete } from "./entities.web-location-group.delete.ts";
import { entitiesWebLocationGroupGet } from "./entities.web-location-group.get.ts";
import { entitiesWebLocationGroupPatch } from "./entities.web-location-group.patch.ts";
import { entitiesWebLocationCreateV2 } from "./entities.web-location.create-v2.ts";
import { entitiesWebLocationDeleteV2 } from "./entities.web-location.delete-v2.ts";
import { entitiesWebLocationGetV2 } from "./entities.web-location.get-v2.ts";
import { entitiesWebLocationPatchV2 } from "./entities.web-location.patch-v2.ts";
import { queriesClassificationGetV2 } from "./queries.classification.get.v2.ts";
import { queriesCloudApplicationGetV2 } from "./queries.cloud-application.get-v2.ts";
import { queriesContentPatternGetV2 } from "./queries.content-pattern.get-v2.ts";
import { queriesEnterpriseAccountGetV2 } from "./queries.enterprise-account.get-v2.ts";
import { queriesFileTypeGetV2 } from "./queries.file-type.get-v2.ts";
import { queriesLocalApplicationGroupGet } from "./queries.local-application-group.get.ts";
import { queriesLocalApplicationGet } from "./queries.local-application.get.ts";
import { queriesPolicyGetV2 } from "./queries.policy.get.v2.ts";
import { queriesSensitivityLabelGetV2 } from "./queries.sensitivity-label.get-v2.ts";
import { queriesWebLocationGroupGet } from "./queries.web-location-group.get.ts";
import { queriesWebLocationGetV2 } from "./queries.web-location.get-v2.ts";

export const dataProtectionHandlers = {
  "entities.classification.delete.v2": entitiesClassificationDeleteV2,
  "entities.classification.get.v2": entitiesClassificationGetV2,
  "entities.classification.patch.v2": entitiesClassificationPatchV2,
  "entities.classification.post.v2": entitiesClassificationPostV2,
  "entities.cloud-application.create": entitiesCloudApplicationCreate,
  "entities.cloud-application.delete": entitiesCloudApplicationDelete,
  "entities.cloud-application.get": entitiesCloudApplicationGet,
  "entities.cloud-application.patch": entitiesCloudApplicationPatch,
  "entities.content-pattern.create": entitiesContentPatternCreate,
  "entities.content-pattern.delete": entitiesContentPatternDelete,
  "entities.content-pattern.get": entitiesContentPatternGet,
  "entities.content-pattern.patch": entitiesContentPatternPatch,
  "entities.enterprise-account.create": entitiesEnterpriseAccountCreate,
  "entities.enterprise-account.delete": entitiesEnterpriseAccountDelete,
  "entities.enterprise-account.get": entitiesEnterpriseAccountGet,
  "entities.enterprise-account.patch": entitiesEnterpriseAccountPatch,
  "entities.file-type.get": entitiesFileTypeGet,
  "entities.local-application-group.create": entitiesLocalApplicationGroupCreate,
  "entities.local-application-group.delete": entitiesLocalApplicationGroupDelete,
  "entities.local-application-group.get": entitiesLocalApplicationGroupGet,
  "entities.local-application-group.patch": entitiesLocalApplicationGroupPatch,
  "entities.local-application.create": entitiesLocalApplicationCreate,
  "entities.local-application.delete": entitiesLocalApplicationDelete,
  "entities.local-application.get": entitiesLocalApplicationGet,
  "entities.local-application.patch": entitiesLocalApplicationPatch,
  "entities.policy.delete.v2": entitiesPolicyDeleteV2,
  "entities.policy.get.v2": entitiesPolicyGetV2,
  "entities.policy.patch.v2": entitiesPolicyPatchV2,
  "entities.policy.post.v2": entitiesPolicyPostV2,
  "entities.policy.precedence.post.v1": entitiesPolicyPrecedencePostV1,
  "entities.sensitivity-label.create-v2": entitiesSensitivityLabelCreateV2,
  "entities.sensitivity-label.delete-v2": entitiesSensitivityLabelDeleteV2,
  "entities.sensitivity-label.get-v2": entitiesSensitivityLabelGetV2,
  "entities.web-location-group.create": entitiesWebLocationGroupCreate,
  "entities.web-location-group.delete": entitiesWebLocationGroupDelete,
  "entities.web-location-group.get": entitiesWebLocationGroupGet,
  "entities.web-location-group.patch": entitiesWebLocationGroupPatch,
  "entities.web-location.create-v2": entitiesWebLocationCreateV2,
  "entities.web-location.delete-v2": entitiesWebLocationDeleteV2,
  "entities.web-location.get-v2": entitiesWebLocationGetV2,
  "entities.web-location.patch-v2": entitiesWebLocationPatchV2,
  "queries.classification.get.v2": queriesClassificationGetV2,
  "queries.cloud-application.get-v2": queriesCloudApplicationGetV2,
  "queries.content-pattern.get-v2": queriesContentPatternGetV2,
  "queries.enterprise-account.get-v2": queriesEnterpriseAccountGetV2,
  "queries.file-type.get-v2": queriesFileTypeGetV2,
  "queries.local-application-group.get": queriesLocalApplicationGroupGet,
  "queries.local-application.get": queriesLocalApplicationGet,
  "queries.policy.get.v2": queriesPolicyGetV2,
  "queries.sensitivity-label.get-v2": queriesSensitivityLabelGetV2,
  "queries.web-location-group.get": queriesWebLocationGroupGet,
  "queries.web-location.get-v2": queriesWebLocationGetV2,
};
