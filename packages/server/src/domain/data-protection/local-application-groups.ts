import { defined } from "../../records/defined.ts";
import { newIdentifier } from "../../foundation/identifiers.ts";
import type { components } from "@security-platform/spec";
import type { PlainKind } from "../../records/plain/kind.ts";
import {
  localApplicationGroups,
  localApplications,
  mostMembers,
  type LocalApplicationGroup,
} from "./kinds.ts";

type Schemas = components["schemas"];

export const localApplicationGroupRules: PlainKind<
  LocalApplicationGroup,
  Schemas["LocalApplicationGroupCreateRequest"],
  Schemas["LocalApplicationGroupUpdateRequest"]
> = {
  ...localApplicationGroups,
  make: ({ name, description = "", local_application_ids = [] }, { cid, now }) => ({
    id: newIdentifier(),
    cid,
    name,
    description,
    local_application_ids,
    deleted: false,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    deleted_at: null,
  }),
  change: (group, { name, description, local_application_ids }, { now }) => ({
    ...group,
    ...defined({ name, description, local_application_ids }),
    updated_at: now.toISOString(),
  }),
  retire: (group, now) => ({
    ...group,
    local_application_ids: [],
    deleted: true,
    updated_at: now.toISOString(),
    deleted_at: now.toISOString(),
  }),
  unique: ["name"],
  references: [
    {
      member: "local_application_ids",
      target: localApplications,
      otherSide: { member: "group_ids", changedAt: "updated_at", most: mostMembers },
    },
  ],
};
