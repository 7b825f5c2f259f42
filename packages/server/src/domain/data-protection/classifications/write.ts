import { defined } from "../../../records/defined.ts";
import { newIdentifier } from "../../../foundation/identifiers.ts";
import type { components } from "@security-platform/spec";
import type { Named, PlainKind, Reference } from "../../../records/plain/kind.ts";
import {
  contentPatterns,
  fileTypes,
  localApplicationGroups,
  sensitivityLabels,
  webLocations,
} from "../kinds.ts";
import {
  classifications,
  storedClassification,
  type Classification,
  type StoredClassification,
} from "../classifications.ts";
import { ruleIdProblems, ruleProblems, rulesOf, withoutScreens } from "./rules.ts";
import { screenProblems } from "./screens.ts";

type Schemas = components["schemas"];
type Input = Schemas["ClassificationInput"];
type Changes = Omit<Schemas["ClassificationUpdateInput"], "id">;
type PropertiesInput = Schemas["ClassificationPropertiesInput"];
type Properties = Schemas["ClassificationProperties"];

const emptyProperties: Properties = {
  protection_mode: "monitor",
  content_patterns: [],
  content_patterns_operator: "or",
  file_types: [],
  sensitivity_labels: [],
  web_sources: [],
  win_file_path_patterns: [],
  mac_file_path_patterns: [],
  scan_profiles: [],
  evidence_duplication_enabled: false,
  rules: [],
};

function changedProperties(
  before: Properties,
  { rules: inputs, ...members }: PropertiesInput,
  now: Date,
): Properties {
  const properties = { ...before, ...defined(members) };
  if (inputs !== undefined) return { ...properties, rules: rulesOf(inputs, before.rules, now) };
  const { evidence_duplication_enabled: evidence, rules } = properties;
  return evidence ? properties : { ...properties, rules: withoutScreens(rules, now) };
}

/** References from lists of the classification itself. */
const named =
  (list: "content_patterns" | "file_types" | "sensitivity_labels" | "web_sources") =>
  ({ classification_properties }: Classification): readonly Named[] =>
    classification_properties[list].map((id, index) => ({
      id,
      place: `.classification_properties.${list}[${index}]`,
    }));

/** References from lists of its rules. */
const namedByRules =
  (list: "local_application_groups" | "web_locations") =>
  ({ classification_properties }: Classification): readonly Named[] =>
    classification_properties.rules.flatMap((rule, at) =>
      rule[list].map((id, index) => ({
        id,
        place: `.classification_properties.rules[${at}].${list}[${index}]`,
      })),
    );

const sources = named("web_sources");
const destinations = namedByRules("web_locations");
const member = "classification_properties";

const references: readonly Reference<StoredClassification>[] = [
  { member, target: contentPatterns, namesIn: named("content_patterns") },
  { member, target: fileTypes, namesIn: named("file_types") },
  { member, target: sensitivityLabels, namesIn: named("sensitivity_labels") },
  {
    member,
    target: webLocations,
    namesIn: (classification) => [...sources(classification), ...destinations(classification)],
  },
  { member, target: localApplicationGroups, namesIn: namedByRules("local_application_groups") },
];

export const classificationRules: PlainKind<StoredClassification, Input, Changes> = {
  ...classifications,
  make: ({ name, classification_properties = {} }, { cid, actor, now }) => {
    const written = now.toISOString();
    return storedClassification({
      id: newIdentifier(),
      cid,
      name,
      classification_properties: changedProperties(emptyProperties, classification_properties, now),
      created_at: written,
      created_by: actor,
      modified_at: written,
      modified_by: actor,
    });
  },
  change: (classification, { name, classification_properties = {} }, { actor, now }) =>
    storedClassification({
      ...classification,
      ...defined({ name }),
      classification_properties: changedProperties(
        classification.classification_properties,
        classification_properties,
        now,
      ),
      modified_at: now.toISOString(),
      modified_by: actor,
    }),
  problems: ({ at, before, after }, { classification_properties = {} }) => {
    const place = `${at}.classification_properties.rules`;
    const { rules, evidence_duplication_enabled } = after.classification_properties;
    const earlierRules = before?.classification_properties.rules ?? [];
    return [
      ...ruleIdProblems(classification_properties.rules ?? [], earlierRules, place),
      ...ruleProblems(rules, evidence_duplication_enabled, place),
    ];
  },
  unique: ["name"],
  references,
  conflicts: screenProblems,
};
