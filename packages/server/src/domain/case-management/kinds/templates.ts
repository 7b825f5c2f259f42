import { foldCase, type Fields } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { Kind } from "../../../records/plain/kind.ts";
import type { Resource } from "../../../store/index.ts";

type Schemas = components["schemas"];
/** A template without `has_access`, which depends on the caller. */
export type CaseTemplate = Omit<Schemas["CaseTemplate"], "has_access">;
export type CaseField = Schemas["CaseField"];
type TemplateSnapshot = Schemas["CaseTemplateSnapshot"];

/** A stored template: the served one, its newest snapshot, and the SLAs that it uses. */
export interface StoredTemplate extends CaseTemplate {
  readonly version: number;
  readonly snapshot_id: string;
  /** `sla_id` and the SLAs of the rules, without duplicates. */
  readonly sla_ids: readonly string[];
}

const tableFields = fqlTables["case-templates"].fields;

const fields: Fields = {
  ...tableFields,
  sla_ids: { type: "string", array: true },
  access_tag_ids: { type: "string", array: true, path: "access_tags.id" },
};

export const caseTemplates: Kind<StoredTemplate> = {
  noun: "template",
  resource: {
    name: "case_templates",
    collection: "case_management",
    fields,
    id: "id",
    uniqueKey: ({ name }) => foldCase(name),
    hidden: ["version", "snapshot_id", "sla_ids"],
    indexes: ["name"],
  },
  fields: tableFields,
};

/** A stored snapshot: the served one, and the name of the template for filters. */
export interface StoredSnapshot extends TemplateSnapshot {
  readonly name: string;
}

export const snapshotNoun = "template snapshot";

const snapshotFields = fqlTables["template-snapshots"].fields;

/** All versions of all templates. They remain after the template is deleted. */
export const templateSnapshots: Resource<StoredSnapshot> = {
  name: "template_snapshots",
  collection: "case_management",
  fields: {
    ...snapshotFields,
    created_timestamp: { type: "timestamp", sortable: true },
    version: { type: "number", sortable: true },
  },
  id: "id",
  hidden: ["name"],
  indexes: ["template_id", "created_timestamp"],
};

/** A stored field: the served one, its template and its tenant. */
export interface StoredField extends CaseField {
  readonly cid: string;
  readonly template_id: string;
}

/** The fields of all templates, for the operations on fields; kept in sync with the templates. */
export const caseFieldRecords: Kind<StoredField> = {
  noun: "field",
  resource: {
    name: "case_fields",
    collection: "case_management",
    fields: fqlTables["case-fields"].fields,
    id: "id",
    hidden: ["cid", "template_id"],
    indexes: ["name"],
  },
};
