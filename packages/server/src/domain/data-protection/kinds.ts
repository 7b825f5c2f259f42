/** The plain kinds of data protection. Other kinds refer to them. */
import { foldCase } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { Kind } from "../../records/plain/kind.ts";
import type { Resource } from "../../store/index.ts";

type Schemas = components["schemas"];
export type CloudApplication = Schemas["CloudApplication"];
export type ContentPattern = Schemas["ContentPattern"];
export type EnterpriseAccount = Schemas["EnterpriseAccount"];
export type FileType = Schemas["DataProtectionFileType"];
export type LocalApplication = Schemas["LocalApplication"];
export type LocalApplicationGroup = Schemas["LocalApplicationGroup"];
export type SensitivityLabel = Schemas["SensitivityLabel"];
export type WebLocation = Schemas["WebLocation"];
export type WebLocationGroup = Schemas["WebLocationGroup"];

/** Maximum length of a member list. */
export const mostMembers = 1_000;

const collection = "data_protection";

/** Deleted records stay readable but free their names, so these resources do not use soft deletion. */
const nameKey = ({ name, deleted }: { readonly name: string; readonly deleted: boolean }) =>
  deleted ? null : foldCase(name);

/** Predefined records are stored once for all tenants; custom records belong to a tenant. */
const tenantAndPlatform = { sources: ["own", "platform"] } as const;

const isPredefined = ({ type }: { readonly type: Schemas["DataProtectionOrigin"] }): boolean =>
  type === "predefined";

export const cloudApplications: Kind<CloudApplication> = {
  noun: "cloud application",
  resource: {
    name: "cloud_applications",
    collection,
    fields: fqlTables["cloud-applications"].fields,
    id: "id",
    visibility: tenantAndPlatform,
    indexes: ["name"],
  },
  isPredefined: ({ app_tier }) => app_tier !== "custom",
};

export const contentPatterns: Kind<ContentPattern> = {
  noun: "content pattern",
  resource: {
    name: "content_patterns",
    collection,
    fields: fqlTables["content-patterns"].fields,
    id: "id",
    visibility: tenantAndPlatform,
    indexes: ["name"],
  },
  isPredefined,
};

export const enterpriseAccounts: Kind<EnterpriseAccount> = {
  noun: "enterprise account",
  resource: {
    name: "enterprise_accounts",
    collection,
    fields: fqlTables["enterprise-accounts"].fields,
    id: "id",
    indexes: ["name", "plugin_config_id"],
  },
};

/** Predefined file types, read-only and the same for every tenant. */
export const fileTypes: Kind<FileType> = {
  noun: "file type",
  resource: {
    name: "file_types",
    collection,
    fields: fqlTables["file-types"].fields,
    id: "id",
    visibility: tenantAndPlatform,
    indexes: ["name"],
  },
};

export const localApplications: Kind<LocalApplication> = {
  noun: "local application",
  resource: {
    name: "local_applications",
    collection,
    fields: fqlTables["local-applications"].fields,
    id: "id",
    uniqueKey: nameKey,
    indexes: ["name", "executable_name"],
  },
};

export const localApplicationGroups: Kind<LocalApplicationGroup> = {
  noun: "local application group",
  resource: {
    name: "local_application_groups",
    collection,
    fields: fqlTables["local-application-groups"].fields,
    id: "id",
    uniqueKey: nameKey,
    indexes: ["name"],
  },
};

const labelFields = fqlTables["sensitivity-labels"].fields;

export const sensitivityLabels: Kind<SensitivityLabel> = {
  noun: "sensitivity label",
  resource: {
    name: "sensitivity_labels",
    collection,
    fields: { ...labelFields, plugins_configuration_id: { type: "string" } },
    id: "id",
    indexes: ["name", "display_name", "plugins_configuration_id"],
  },
  fields: labelFields,
};

export const webLocations: Kind<WebLocation> = {
  noun: "web location",
  resource: {
    name: "web_locations",
    collection,
    fields: fqlTables["web-locations"].fields,
    id: "id",
    visibility: tenantAndPlatform,
    indexes: ["name", "application_id", "enterprise_account_id"],
  },
  isPredefined,
};

export const webLocationGroups: Kind<WebLocationGroup> = {
  noun: "web location group",
  resource: {
    name: "web_location_groups",
    collection,
    fields: fqlTables["web-location-groups"].fields,
    id: "id",
    uniqueKey: nameKey,
    visibility: tenantAndPlatform,
    indexes: ["name"],
  },
  isPredefined,
};

/** The resources of the plain kinds. */
export const plainResources: readonly Resource[] = [
  cloudApplications.resource,
  contentPatterns.resource,
  enterpriseAccounts.resource,
  fileTypes.resource,
  localApplications.resource,
  localApplicationGroups.resource,
  sensitivityLabels.resource,
  webLocations.resource,
  webLocationGroups.resource,
];
