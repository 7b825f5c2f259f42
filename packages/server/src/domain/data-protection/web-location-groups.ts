import { defined } from "../../records/defined.ts";
import { newIdentifier } from "../../foundation/identifiers.ts";
import type { components } from "@security-platform/spec";
import type { PlainKind } from "../../records/plain/kind.ts";
import { mostMembers, webLocationGroups, webLocations, type WebLocationGroup } from "./kinds.ts";

type Schemas = components["schemas"];

/** Custom web location groups of the tenant. They can contain predefined web locations. */
export const webLocationGroupRules: PlainKind<
  WebLocationGroup,
  Schemas["WebLocationGroupCreateRequest"],
  Schemas["WebLocationGroupUpdateRequest"]
> = {
  ...webLocationGroups,
  make: ({ name, description = "", web_location_ids = [] }, { cid, now }) => ({
    id: newIdentifier(),
    cid,
    name,
    description,
    type: "custom",
    web_location_ids,
    deleted: false,
    created: now.toISOString(),
    last_updated: now.toISOString(),
  }),
  change: (group, { name, description, web_location_ids }, { now }) => ({
    ...group,
    ...defined({ name, description, web_location_ids }),
    last_updated: now.toISOString(),
  }),
  retire: (group, now) => ({
    ...group,
    web_location_ids: [],
    deleted: true,
    last_updated: now.toISOString(),
  }),
  unique: ["name"],
  references: [
    {
      member: "web_location_ids",
      target: webLocations,
      otherSide: {
        member: "web_location_group_ids",
        changedAt: "last_updated",
        most: mostMembers,
        takesAny: true,
      },
    },
  ],
};
