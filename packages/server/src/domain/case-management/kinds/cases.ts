import type { Fields } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import { memberOrder } from "../../../records/member-order.ts";
import type { Resource } from "../../../store/index.ts";
import { nextInstant, type SlaProgress } from "./timers.ts";
import { byAccessTags, type CaseReader } from "../access-tags/reader.ts";

type Schemas = components["schemas"];
export type Case = Schemas["Case"];

/** The noun for one record in messages. */
export const caseNoun = "case";

/** Values in `analysis_results`. */
const knownValueNames = [
  "hostnames",
  "usernames",
  "email_addresses",
  "sha256s",
  "md5s",
  "file_names",
  "cloud_account_ids",
  "cloud_regions",
  "cloud_availability_zones",
  "cloud_instance_ids",
] as const;

export type KnownValues = Readonly<Record<(typeof knownValueNames)[number], readonly string[]>>;

/** Data from the evidence: lists for filters, without duplicates and empty texts. */
export interface Findings extends KnownValues {
  readonly source_vendors: readonly string[];
  readonly source_products: readonly string[];
  readonly tactics: readonly string[];
  readonly tactic_ids: readonly string[];
  readonly techniques: readonly string[];
  readonly technique_ids: readonly string[];
  readonly ips: readonly string[];
  readonly image_file_names: readonly string[];
  readonly command_lines: readonly string[];
  readonly cloud_service_names: readonly string[];
  /** Names and descriptions of alerts and events; for full text only. */
  readonly texts: readonly string[];
}

/** A stored case: the served one, and members for filters that are never served. */
export interface StoredCase extends Case {
  /** E-mail address of the user or id of the API client, for filters on `created_by`. */
  readonly creator: string;
  /** The same for `modified_by`. */
  readonly modifier: string;
  readonly findings: Findings;
  /** Name, description, tags, fields and evidence: each distinct text on a line. */
  readonly all_text: string;
  /** The case has access tags. */
  readonly restricted: boolean;
  /** The progress of the SLA; absent without one. */
  readonly sla_progress?: SlaProgress;
}

/** The fields for filters and sorts of cases. */
export const caseFields: Fields = fqlTables.cases.fields;

/** Members of `findings` that are filter fields with the same names. */
const findingNames = [
  ...knownValueNames,
  "source_vendors",
  "source_products",
  "tactics",
  "tactic_ids",
  "techniques",
  "technique_ids",
  "ips",
  "image_file_names",
  "command_lines",
  "cloud_service_names",
] as const satisfies readonly (keyof Findings)[];

const at = (name: string, path: string): Fields => {
  const field = caseFields[name];
  if (field === undefined) throw new Error(`cases have no field ${name}`);
  return { [name]: { ...field, path } };
};

/** A list has no order of its own, so cases sort by their first tag. */
const firstTag = "first_tag";

export const sortField = (field: string): string => (field === "tags" ? firstTag : field);

const fields: Fields = {
  ...caseFields,
  ...at("created_by", "creator"),
  ...at("modified_by", "modifier"),
  ...Object.assign({}, ...findingNames.map((name) => at(name, `findings.${name}`))),
  restricted: { type: "boolean" },
  [firstTag]: { type: "string", sortable: true, filterable: false, path: "tags.0" },
  access_tag_ids: { type: "string", array: true, path: "access_tags.id" },
};

const hidden = [
  "creator",
  "modifier",
  "findings",
  "all_text",
  "restricted",
  "sla_progress",
] as const;

/** Cases. Those with access tags are visible only to callers that hold one of them. */
export const cases: Resource<StoredCase, CaseReader> = {
  name: "cases",
  collection: "case_management",
  fields,
  id: "id",
  uniqueKey: ({ reference_id }) => reference_id,
  visibility: byAccessTags,
  hidden,
  words: "all_text",
  due: { sla: { at: nextInstant } },
  indexes: [
    "reference_id",
    "name",
    "status",
    "severity",
    firstTag,
    "assigned_to_uuid",
    "assigned_to_userid",
    "assigned_to_name",
    "created_timestamp",
    "updated_timestamp",
  ],
};

/** The members in the document's order, so that equal cases have equal texts. */
export const inOrder = memberOrder<StoredCase>("Case", hidden);
