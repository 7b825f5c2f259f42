import { fqlTables, type components } from "@security-platform/spec";
import type { Resource } from "../../store/types.ts";

type Schemas = components["schemas"];
export type Indicator = Schemas["Indicator"];
export type IndicatorInput = Schemas["IndicatorInput"];
export type IndicatorType = Schemas["IndicatorType"];

/** How one is called in messages. */
export const indicatorNoun = "indicator";

/** Custom indicators of compromise. */
export const indicators: Resource<Indicator> = {
  name: "indicators",
  collection: "ioc",
  fields: fqlTables.indicators.fields,
  id: "id",
  uniqueKey: ({ type, value }) => `${type}:${value}`,
  turn: {
    at: ({ expiration }) => expiration ?? null,
    after: (indicator) => ({
      ...indicator,
      action: "no_action",
      mobile_action: "no_action",
      expired: true,
    }),
    changes: ["action", "mobile_action", "expired"],
  },
  softDelete: { days: 30, mark: (indicator) => ({ ...indicator, deleted: true }) },
  inherited: {
    field: "from_parent",
    view: (indicator, owner) =>
      inOrder({ ...indicator, from_parent: true, parent_cid_name: owner.name }),
  },
  indexes: [
    "value",
    "type",
    "action",
    "severity_number",
    "expiration",
    "source",
    "created_on",
    "modified_on",
  ],
};

const order: readonly (keyof Indicator)[] = [
  "id",
  "type",
  "value",
  "action",
  "mobile_action",
  "severity",
  "source",
  "description",
  "platforms",
  "tags",
  "host_groups",
  "applied_globally",
  "expiration",
  "expired",
  "deleted",
  "from_parent",
  "parent_cid_name",
  "metadata",
  "created_by",
  "created_on",
  "modified_by",
  "modified_on",
];

const metadataOrder: readonly (keyof Indicator["metadata"])[] = [
  "filename",
  "original_filename",
  "file_description",
  "file_version",
  "company_name",
  "product_name",
  "product_version",
  "signed",
  "av_hits",
];

/** The members in their one order, so that equal indicators have equal texts. */
export function inOrder(indicator: Indicator): Indicator {
  return pick({ ...indicator, metadata: pick(indicator.metadata, metadataOrder) }, order);
}

function pick<Members extends object>(
  members: Members,
  names: readonly (keyof Members & string)[],
): Members {
  return Object.fromEntries(
    names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])),
  ) as unknown as Members;
}
