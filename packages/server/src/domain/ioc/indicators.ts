import { fqlTables, type components } from "@security-platform/spec";
import { memberOrder } from "../../records/member-order.ts";
import type { Resource } from "../../store/index.ts";

type Schemas = components["schemas"];
export type Indicator = Schemas["Indicator"];
export type IndicatorInput = Schemas["IndicatorInput"];
export type IndicatorType = Schemas["IndicatorType"];

/** The name of a record in messages. */
export const indicatorNoun = "indicator";

/** Custom indicators of compromise. */
export const indicators: Resource<Indicator> = {
  name: "indicators",
  collection: "ioc",
  fields: fqlTables.indicators.fields,
  id: "id",
  uniqueKey: ({ type, value }) => `${type}:${value}`,
  expiry: {
    at: ({ expiration }) => expiration ?? null,
    after: expired,
    changes: ["action", "mobile_action", "expired"],
  },
  softDelete: { days: 30, mark: (indicator) => ({ ...indicator, deleted: true }) },
  visibility: {
    sources: ["own", "ancestor"],
    inheritedField: "from_parent",
    fields: { parent_cid_name: fqlTables.indicators.fields.parent_cid_name },
    fieldFor: (_name, _scope, { kind, tenant }) => ({
      kind: "constant",
      value: kind === "ancestor" ? (tenant?.name ?? null) : null,
    }),
    shownAsStored: ["own"],
    show: (indicator, _scope, { tenant }) =>
      inOrder({
        ...indicator,
        from_parent: true,
        ...(tenant === null ? {} : { parent_cid_name: tenant.name }),
      }),
  },
  // Indicators without a description lacked the member.
  upgrade: {
    revision: 1,
    run: ({ description = "", ...indicator }) => inOrder({ ...indicator, description }),
  },
  folded: ["value"],
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

/** The tenant's own indicator as it is shown at `now`. */
export const shownAt = (indicator: Indicator, now: Date): Indicator =>
  indicator.expiration !== undefined && new Date(indicator.expiration) <= now
    ? expired(indicator)
    : indicator;

function expired(indicator: Indicator): Indicator {
  return { ...indicator, action: "no_action", mobile_action: "no_action", expired: true };
}

/** Orders the members as in the document, so that equal indicators have equal texts. */
export const inOrder = memberOrder<Indicator>("Indicator");
