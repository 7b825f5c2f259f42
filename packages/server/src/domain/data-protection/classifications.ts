import { fqlTables, type components } from "@security-platform/spec";
import type { Kind } from "../../records/plain/kind.ts";

type Schemas = components["schemas"];
export type Classification = Schemas["Classification"];
export type Rule = Schemas["ClassificationRule"];

/** The stored record: the classification as served, and hidden members. */
export interface StoredClassification extends Classification {
  /** All web locations of the classification and its rules. */
  readonly web_location_ids: readonly string[];
  /** All local application groups of its rules. */
  readonly local_application_group_ids: readonly string[];
}

const fields = fqlTables["classifications"].fields;

/** A classification describes a kind of data to protect. */
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

/** The stored record of a classification, including its hidden members. */
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

/** True if one of the rules captures the screen. */
export const recordsScreen = ({ classification_properties }: Classification): boolean =>
  classification_properties.rules.some((rule) => rule.enable_screen_capture_rule);
