import { fqlTables, type components } from "@security-platform/spec";
import type { Kind } from "../../../records/plain/kind.ts";

type Schemas = components["schemas"];
export type Classification = Schemas["Classification"];
export type Rule = Schemas["ClassificationRule"];

/** As stored: the served classification and hidden members. */
export interface StoredClassification extends Classification {
  /** Every web location that it or one of its rules names. */
  readonly web_location_ids: readonly string[];
  /** Every group of local applications that a rule names. */
  readonly local_application_group_ids: readonly string[];
}

const fields = fqlTables["classifications"].fields;

/** Kinds of data that are worth protecting. */
export const classifications: Kind<StoredClassification> = {
  noun: "classification",
  fields,
  resource: {
    name: "classifications",
    collection: "data_protection",
    fields: {
      ...fields,
      web_location_ids: { type: "string", array: true },
      local_application_group_ids: { type: "string", array: true },
    },
    id: "id",
    hidden: ["web_location_ids", "local_application_group_ids"],
    indexes: ["name", "created_at", "modified_at"],
  },
};

/** The record of a classification, with the members that follow from others. */
export function storedClassification(classification: Classification): StoredClassification {
  const { web_sources, rules } = classification.classification_properties;
  const locations = rules.flatMap(({ web_locations }) => web_locations);
  const groups = rules.flatMap(({ local_application_groups }) => local_application_groups);
  return {
    ...classification,
    web_location_ids: [...new Set([...web_sources, ...locations])],
    local_application_group_ids: [...new Set(groups)],
  };
}

/** Whether a rule of it records the screen. */
export const recordsScreen = ({ classification_properties }: Classification): boolean =>
  classification_properties.rules.some((rule) => rule.enable_screen_capture_rule);
