import type { OperationId } from "./generated/operation-ids.ts";
import type { HeaderDescription } from "./operation.ts";

/** What existing clients of the platform expect of one operation, if it differs from the general rules. */
export interface CompatQuirks {
  /**
   * The place of the single object of a success in the Envelope representation. `top-level`: the object is
   * the whole body; `resources`: this member is the object itself. Absent: the object is the only entry of
   * the list `resources`.
   */
  readonly object?: "top-level" | "resources";
  /**
   * The body that these clients expect in the plain JSON of a success (`serve --compat`): an empty text; the
   * Envelope with the list as `Resources` and as `resources`; or the list in this member of the documented
   * object, sent as `resources`. A request that prefers the media type of the Envelope gets the documented
   * content.
   */
  readonly plain?: "empty-text" | "both-names" | { readonly member: string };
  /**
   * `after-page`: `meta.pagination.offset` is the position after the page. `after-page-text`: as text. `cursor`: it is the cursor of the
   * next page, empty on the last one, and `expires_at` is added. Absent: the position of its first record.
   */
  readonly offset?: "after-page" | "after-page-text" | "cursor";
  /** Members of the records that are never absent, with their empty texts if nothing is known. */
  readonly recordDefaults?: Readonly<Record<string, Readonly<Record<string, "">>>>;
  /** `success`: missing records are reported in the `errors` of a success. Absent: with status 404. */
  readonly missing?: "success";
  /** The status of a success, if clients only know one that the document does not have. */
  readonly successStatus?: number;
  /** A body whose only member is this one, a list with one entry, is treated as that entry. */
  readonly wrapper?: string;
  /** Required parameters that clients do not send, with their values. */
  readonly parameterDefaults?: Readonly<Record<string, unknown>>;
  /** Members of the body whose invalid values are refused with another status than 400. */
  readonly invalid?: Readonly<Record<string, number>>;
  /** Query parameters that clients send as one text with commas, although their items have no commas. */
  readonly commaSeparated?: readonly string[];
  /** The query parameter that clients send as a member of the body. */
  readonly parameterInBody?: string;
  /** Defaults of absent members of the body for these clients. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Members of the entries of `resources` that clients send although only the server sets them. */
  readonly ignoredMembers?: readonly string[];
}

/** What existing clients send for the members of one schema, if it differs from the general rules. */
export interface SchemaQuirks {
  /** Values for members that are not set, although the document allows the values. They count as absent. */
  readonly unset?: Readonly<Record<string, unknown>>;
  /** Members that the document allows to be null. For these clients, null counts as absent. */
  readonly nullIsAbsent?: readonly string[];
  /** Members for which Go's zero time counts as absent, because clients cannot omit it. Absent: as null. */
  readonly zeroTimeIsAbsent?: readonly string[];
  /** Members that have the value of another member if they are absent. */
  readonly copied?: Readonly<Record<string, string>>;
  /** Values that members have if they are absent. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

const emptyDescription: SchemaQuirks = { defaults: { description: "" } };
const keptDescription: SchemaQuirks = { nullIsAbsent: ["description"] };

/** The quirks of existing clients by the name of the schema. */
export const schemaQuirks: Readonly<Record<string, SchemaQuirks>> = {
  AggregateSpec: { unset: { max_doc_count: 0, missing: "" }, copied: { name: "field" } },
  BulkUpdate: { zeroTimeIsAbsent: ["expiration"] },
  CaseAggregateSpec: { copied: { name: "field" } },
  CidGroupUpdateInput: emptyDescription,
  NotificationGroupUpdateRequest: keptDescription,
  NotificationGroupV1UpdateRequest: keptDescription,
  SlaUpdateRequest: keptDescription,
  UserGroupUpdateInput: emptyDescription,
};

/** Response headers for existing clients, in addition to the documented ones. */
export const clientHeaders: Readonly<Record<string, HeaderDescription>> = {
  "X-Ignored-Members": {
    required: false,
    description:
      "Places of members of the body that the document does not have; `[]` is any item of a list. " +
      "The server ignored them. At most 20 places, then `...`. Absent if there are none.",
    schema: { type: "string", maxLength: 4096 },
  },
  "X-Cs-Region": {
    required: false,
    description:
      "The region in the host name of the request, such as `us-2` of `api.us-2.example.com`, as some clients refuse a " +
      "region that they do not know; otherwise `local`.",
    schema: { type: "string", enum: ["us-1", "us-2", "eu-1", "us-gov-1", "us-gov-2", "local"] },
  },
  "X-Cs-Traceid": {
    required: false,
    description: "Same as `X-Trace-Id`.",
    schema: { type: "string", format: "uuid" },
  },
};

const tenantGroup: CompatQuirks = { ignoredMembers: ["cid", "cid_group_id"] };
const userGroup: CompatQuirks = { ignoredMembers: ["cid", "user_group_id"] };
const changedGroup: CompatQuirks = { ignoredMembers: ["cid"] };

/** Operations of the companion document. */
const byCompanionOperation: Readonly<Record<string, CompatQuirks>> = {
  QueryDevicesByFilterScroll: { offset: "cursor" },
  createCIDGroups: tenantGroup,
  createUserGroups: userGroup,
  updateCIDGroups: changedGroup,
  updateUserGroups: changedGroup,
};

/** The Rust client decodes no case without the user who works on it. */
const unassigned: CompatQuirks = {
  recordDefaults: { assigned_to: { uuid: "", full_name: "", email: "" } },
};

const byOperation: Readonly<Partial<Record<OperationId, CompatQuirks>>> = {
  CreateRegistryEntities: { object: "resources" },
  GetImageAssessmentReport: { object: "top-level" },
  GrantUserRoleIds: { plain: { member: "role_ids" } },
  ReadExportJobs: { plain: "both-names", commaSeparated: ["ids"] },
  UpdateRegistryEntities: { object: "resources", parameterInBody: "id" },
  "aggregates.file-details.post.v1": { parameterDefaults: { ids: [] } },
  createIOAExclusionsV1: { defaults: { groups: ["all"] } },
  oauth2AccessToken: { invalid: { member_cid: 403 } },
  post_graphql: { object: "top-level" },
  "indicator.get.devices_ran_on.v1": { offset: "after-page-text" },
  "indicator.get.processes_ran_on.v1": { offset: "after-page-text" },
  "ss-ioa-exclusions.create.v2": { successStatus: 200 },
  "ss-ioa-exclusions.new-rules.v2": { object: "top-level" },
  "entities.alert-evidence.post.v1": unassigned,
  "entities.case-tags.post.v1": unassigned,
  "entities.case-tags.delete.v1": unassigned,
  "entities.cases.post.v2": unassigned,
  "entities.cases.put.v2": unassigned,
  "entities.cases.patch.v2": unassigned,
  "entities.event-evidence.post.v1": unassigned,
  "entities.policy.get.v2": { missing: "success" },
  "entities.templates_export.get.v1": { object: "top-level" },
  "entities.templates.delete.v1": { plain: "empty-text" },
  "entities.web-location.patch-v2": { wrapper: "web_locations" },
};

/** Clients send the offset of an answer back as the next one, until it reaches the total. */
const listing: CompatQuirks = { offset: "after-page" };

const byCollection: Readonly<Record<string, CompatQuirks>> = {
  "case-management": listing,
  companion: listing,
  container: listing,
  "data-protection": listing,
  downloads: listing,
  "identity-protection": listing,
  "ioa-exclusions": listing,
  ioc: listing,
  "prevention-policy": listing,
  "user-management": listing,
};

/** The quirks of existing clients for an operation. All other operations follow the general rules. */
export const compatQuirks = (operation: {
  readonly id: string;
  readonly collection: string;
}): CompatQuirks => ({
  ...byCollection[operation.collection],
  ...(byOperation[operation.id as OperationId] ?? byCompanionOperation[operation.id]),
});
