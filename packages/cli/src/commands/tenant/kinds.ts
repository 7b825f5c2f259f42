import type { ApiRecord } from "./api.ts";
import type { FileSchema, Kind, MemberRule } from "./kind.ts";
import { writeEntries, listOf } from "./write-entries.ts";
import { notificationChannels } from "./notification-channels.ts";
import { policyEnabled, policyGroups, policySettings, setPreventionOrder } from "./prevention.ts";

const isTrue =
  (member: string) =>
  (record: ApiRecord): boolean =>
    record[member] === true;

const isPredefined = ({ type }: ApiRecord): boolean => type === "predefined";

const names: FileSchema = {
  type: "array",
  items: { type: "string", minLength: 1, maxLength: 256 },
};

/** The permanent roles that a user holds directly in the tenant. Roles of groups and temporary ones are left out. */
const userRoles: MemberRule = {
  schema: () => ({ ...names, items: { type: "string", pattern: "^[a-z0-9_]{1,64}$" } }),
  fromRecord: async ({ uuid, cid }, api) =>
    (await api.list("combinedUserRolesV1", { user_uuid: uuid, direct_only: true }))
      .filter(
        (grant) =>
          grant["grant_type"] === "direct" &&
          grant["cid"] === cid &&
          grant["expires_at"] === undefined,
      )
      .map(({ role_id }) => role_id),
  write: writeEntries((api, { uuid, cid }, direction, role_ids) =>
    api.call("userRolesActionV2", {
      body: { action: direction === "add" ? "grant" : "revoke", cid, role_ids, uuid },
    }),
  ),
};

const groupMembers: MemberRule = {
  schema: () => names,
  fromRecord: async ({ user_group_id }, api) => {
    const [group] = await api.list("getUserGroupMembersByIDV2", { ids: [user_group_id] });
    return group?.["user_uuids"] ?? [];
  },
  write: writeEntries((api, { user_group_id }, direction, user_uuids) =>
    api.call(direction === "add" ? "addUserGroupMembers" : "deleteUserGroupMembers", {
      body: { resources: [{ user_group_id, user_uuids }] },
    }),
  ),
};

/** `all` stands for every host. */
const exclusionGroups: MemberRule = {
  fromRecord: ({ applied_globally, host_groups }) =>
    applied_globally === true ? ["all"] : host_groups,
};

/** The server sets it if a file leaves it out. */
const patternName: MemberRule = {
  schema: (inRequests) => ({ ...inRequests, type: "string", minLength: 1 }),
};

/** Tags by their keys; a missing one is created with the template. */
const templateTags: MemberRule = {
  schema: () => names,
  fromRecord: ({ access_tags }) => listOf(access_tags).map((tag) => (tag as ApiRecord)["key"]),
  toRequest: (keys) => listOf(keys).map((key) => ({ key })),
};

const platformsOfData = ["win", "mac"];

/** All kinds in the order of their references: a record refers only to kinds before its own. */
export const kinds: readonly Kind[] = [
  {
    name: "host-groups",
    list: "queryCombinedHostGroups",
    create: "createHostGroups",
    update: "updateHostGroups",
    remove: "deleteHostGroups",
    key: ["name"],
  },
  {
    name: "prevention-policies",
    list: "queryCombinedPreventionPolicies",
    listInputs: [{ sort: "precedence.asc" }],
    create: "createPreventionPolicies",
    update: "updatePreventionPolicies",
    remove: "deletePreventionPolicies",
    key: ["platform_name", "name"],
    omitted: ["clone_id"],
    references: { "groups.*": { kind: "host-groups" } },
    members: { enabled: policyEnabled, groups: policyGroups, settings: policySettings },
    isPermanent: ({ name }) => name === "platform_default",
    release: async (record, api) => {
      if (record["enabled"] === true)
        await policyEnabled.write?.({ record, before: true, after: false }, api);
    },
    order: {
      by: "platform_name",
      groups: ["Windows", "Mac", "Linux"],
      set: setPreventionOrder,
    },
  },
  {
    name: "ioa-exclusions",
    list: "ss-ioa-exclusions.search.v2",
    read: "ss-ioa-exclusions.get.v2",
    create: "ss-ioa-exclusions.create.v2",
    update: "ss-ioa-exclusions.update.v2",
    remove: "ss-ioa-exclusions.delete.v2",
    key: ["name"],
    references: { "host_groups.*": { kind: "host-groups", literal: "all" } },
    members: { host_groups: exclusionGroups, pattern_name: patternName },
  },
  {
    name: "content-patterns",
    list: "queries.content-pattern.get-v2",
    read: "entities.content-pattern.get",
    create: "entities.content-pattern.create",
    update: "entities.content-pattern.patch",
    remove: "entities.content-pattern.delete",
    key: ["name"],
    isPredefined,
  },
  {
    name: "file-types",
    list: "queries.file-type.get-v2",
    read: "entities.file-type.get",
    key: ["name"],
    isPredefined: () => true,
  },
  {
    name: "sensitivity-labels",
    list: "queries.sensitivity-label.get-v2",
    read: "entities.sensitivity-label.get-v2",
    create: "entities.sensitivity-label.create-v2",
    remove: "entities.sensitivity-label.delete-v2",
    key: ["name"],
  },
  {
    name: "cloud-applications",
    list: "queries.cloud-application.get-v2",
    read: "entities.cloud-application.get",
    create: "entities.cloud-application.create",
    update: "entities.cloud-application.patch",
    remove: "entities.cloud-application.delete",
    key: ["name"],
    isPredefined: ({ app_tier }) => app_tier !== "custom",
  },
  {
    name: "enterprise-accounts",
    list: "queries.enterprise-account.get-v2",
    read: "entities.enterprise-account.get",
    create: "entities.enterprise-account.create",
    update: "entities.enterprise-account.patch",
    remove: "entities.enterprise-account.delete",
    key: ["name"],
  },
  {
    name: "web-locations",
    list: "queries.web-location.get-v2",
    read: "entities.web-location.get-v2",
    create: "entities.web-location.create-v2",
    update: "entities.web-location.patch-v2",
    remove: "entities.web-location.delete-v2",
    key: ["name"],
    // The groups list their members.
    omitted: ["type", "deleted", "web_location_group_ids"],
    references: {
      application_id: { kind: "cloud-applications" },
      enterprise_account_id: { kind: "enterprise-accounts" },
    },
    isPredefined,
  },
  {
    name: "web-location-groups",
    list: "queries.web-location-group.get",
    read: "entities.web-location-group.get",
    create: "entities.web-location-group.create",
    update: "entities.web-location-group.patch",
    remove: "entities.web-location-group.delete",
    key: ["name"],
    references: { "web_location_ids.*": { kind: "web-locations" } },
    isPredefined,
  },
  {
    name: "local-applications",
    list: "queries.local-application.get",
    read: "entities.local-application.get",
    create: "entities.local-application.create",
    update: "entities.local-application.patch",
    remove: "entities.local-application.delete",
    key: ["name"],
    omitted: ["group_ids"],
  },
  {
    name: "local-application-groups",
    list: "queries.local-application-group.get",
    read: "entities.local-application-group.get",
    create: "entities.local-application-group.create",
    update: "entities.local-application-group.patch",
    remove: "entities.local-application-group.delete",
    key: ["name"],
    references: { "local_application_ids.*": { kind: "local-applications" } },
  },
  {
    name: "classifications",
    list: "queries.classification.get.v2",
    read: "entities.classification.get.v2",
    create: "entities.classification.post.v2",
    update: "entities.classification.patch.v2",
    remove: "entities.classification.delete.v2",
    key: ["name"],
    omitted: [
      "classification_properties.rules.*.created_time_stamp",
      "classification_properties.rules.*.modified_time_stamp",
    ],
    entries: { "classification_properties.rules": null },
    references: {
      "classification_properties.content_patterns.*": { kind: "content-patterns" },
      "classification_properties.file_types.*": { kind: "file-types" },
      "classification_properties.sensitivity_labels.*": { kind: "sensitivity-labels" },
      "classification_properties.web_sources.*": { kind: "web-locations" },
      "classification_properties.rules.*.web_locations.*": { kind: "web-locations" },
      "classification_properties.rules.*.local_application_groups.*": {
        kind: "local-application-groups",
      },
    },
  },
  {
    name: "data-protection-policies",
    list: "queries.policy.get.v2",
    listInputs: platformsOfData.map((platform_name) => ({ platform_name })),
    read: "entities.policy.get.v2",
    create: "entities.policy.post.v2",
    update: "entities.policy.patch.v2",
    remove: "entities.policy.delete.v2",
    key: ["platform_name", "name"],
    omitted: ["precedence"],
    references: {
      "host_groups.*": { kind: "host-groups" },
      "policy_properties.classifications.*": { kind: "classifications" },
    },
    isPermanent: isTrue("is_default"),
    release: async ({ id, platform_name, is_enabled }, api) => {
      if (is_enabled !== true) return;
      const body = { resources: [{ id, is_enabled: false }] };
      await api.call("entities.policy.patch.v2", { platform_name, body });
    },
    order: {
      by: "platform_name",
      groups: platformsOfData,
      placeOf: ({ precedence }) => Number(precedence),
      set: (platform, precedence, api) =>
        api.call("entities.policy.precedence.post.v1", {
          body: { resources: [{ platform, precedence }] },
        }),
    },
  },
  {
    name: "identity-protection-rules",
    list: "get_policy_rules_query",
    read: "get_policy_rules",
    create: "post_policy_rules",
    remove: "delete_policy_rules",
    key: ["name"],
  },
  {
    name: "notification-groups",
    list: "queries.notification-groups.get.v2",
    read: "entities.notification-groups.get.v2",
    create: "entities.notification-groups.post.v2",
    update: "entities.notification-groups.patch.v2",
    remove: "entities.notification-groups.delete.v2",
    key: ["name"],
    members: { channels: notificationChannels },
  },
  {
    name: "slas",
    list: "queries.slas.get.v1",
    read: "entities.slas.get.v1",
    create: "entities.slas.post.v1",
    update: "entities.slas.patch.v1",
    remove: "entities.slas.delete.v1",
    key: ["name"],
    references: {
      "goals.*.escalation_policy.steps.*.notification_group_id": { kind: "notification-groups" },
    },
  },
  {
    name: "case-templates",
    list: "queries.templates.get.v1",
    read: "entities.templates.get.v1",
    create: "entities.templates.post.v1",
    update: "entities.templates.patch.v1",
    remove: "entities.templates.delete.v1",
    key: ["name"],
    entries: { fields: "name", "fields.*.options": "value", sla_rules: null },
    references: { sla_id: { kind: "slas" }, "sla_rules.*.sla_id": { kind: "slas" } },
    members: { access_tags: templateTags },
  },
  {
    name: "users",
    list: "queryUserV1",
    read: "retrieveUsersGETV1",
    create: "createUserV1",
    update: "updateUserV1",
    remove: "deleteUserV1",
    id: "uuid",
    key: ["uid"],
    // A new user receives a mail to set a password.
    omitted: ["password", "cid"],
    members: { roles: userRoles },
  },
  {
    name: "user-groups",
    list: "queryUserGroups",
    read: "getUserGroupsByIDV2",
    create: "createUserGroups",
    update: "updateUserGroups",
    remove: "deleteUserGroups",
    id: "user_group_id",
    key: ["name"],
    references: { "members.*": { kind: "users" } },
    members: { members: groupMembers },
  },
];
