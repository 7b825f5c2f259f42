import { cleared, defined } from "../../records/defined.ts";
import { memberOrder } from "../../records/member-order.ts";
import { newIdentifier } from "../../foundation/identifiers.ts";
import type { components } from "@security-platform/spec";
import type { Problem } from "../../foundation/errors.ts";
import type { PlainKind } from "../../records/plain/kind.ts";
import {
  cloudApplications,
  enterpriseAccounts,
  mostMembers,
  webLocationGroups,
  webLocations,
  type WebLocation,
} from "./kinds.ts";

type Schemas = components["schemas"];
type Input = Schemas["WebLocationInput"];
type Changes = Schemas["WebLocationUpdateRequest"];

/** Custom web locations of the tenant. */
export const webLocationRules: PlainKind<WebLocation, Input, Changes> = {
  ...webLocations,
  make: (input, { cid, now }) =>
    inOrder({
      id: newIdentifier(),
      cid,
      name: input.name,
      type: "custom",
      location_type: input.location_type,
      application_id: input.application_id,
      enterprise_account_id: input.enterprise_account_id,
      provider_location_id: input.provider_location_id,
      provider_location_name: input.provider_location_name,
      web_location_group_ids: input.web_location_group_ids ?? [],
      supports_network_inspection: false,
      deleted: false,
      created: now.toISOString(),
      last_updated: now.toISOString(),
    }),
  change: (location, changes, { now }) => {
    const { name, location_type, web_location_group_ids } = changes;
    const { application_id, enterprise_account_id } = changes;
    const { provider_location_id, provider_location_name } = changes;
    return inOrder({
      ...location,
      ...defined({ name, location_type, web_location_group_ids }),
      ...cleared({
        application_id,
        enterprise_account_id,
        provider_location_id,
        provider_location_name,
      }),
      last_updated: now.toISOString(),
    });
  },
  retire: (location, now) => ({
    ...location,
    web_location_group_ids: [],
    deleted: true,
    last_updated: now.toISOString(),
  }),
  problems: ({ at, before }, sent) => readOnlyProblems(before, sent, at),
  references: [
    { member: "application_id", target: cloudApplications },
    { member: "enterprise_account_id", target: enterpriseAccounts },
    {
      member: "web_location_group_ids",
      target: webLocationGroups,
      otherSide: { member: "web_location_ids", changedAt: "last_updated", most: mostMembers },
    },
  ],
  finish: async (transaction, { after }) => {
    const id = after.application_id ?? "";
    const applications = await transaction.records(cloudApplications.resource).getForUpdate([id]);
    const supports = applications.get(id)?.supports_network_inspection ?? false;
    return { ...after, supports_network_inspection: supports };
  },
};

/** Problems of read-only members: a request may only repeat the stored value. A new record is custom. */
function readOnlyProblems(
  before: WebLocation | null,
  sent: Input | Changes,
  at: string,
): readonly Problem[] {
  const problems: Problem[] = [];
  const { type } = before ?? { type: "custom" };
  if (sent.type !== undefined && sent.type !== type) {
    problems.push({ at: `${at}.type`, message: `cannot change; expected ${type}` });
  }
  if (sent.deleted === true) {
    const advice = before === null ? "" : "; use the delete operation instead";
    const message = `expected false${advice}`;
    problems.push({ at: `${at}.deleted`, message });
  }
  return problems;
}

/** Orders the members as in the document; absent members are left out. */
const inOrder = memberOrder<WebLocation>("WebLocation");
