import { defined } from "../../records/defined.ts";
import { newIdentifier } from "../../foundation/identifiers.ts";
import type { components } from "@security-platform/spec";
import type { PlainKind } from "../../records/plain/kind.ts";
import { addressProblems } from "./addresses.ts";
import { cloudApplications, type CloudApplication } from "./kinds.ts";

type Schemas = components["schemas"];

/** Custom cloud applications of the tenant; they have addresses only. */
export const cloudApplicationRules: PlainKind<
  CloudApplication,
  Schemas["CloudApplicationCreateRequest"],
  Schemas["CloudApplicationUpdateRequest"]
> = {
  ...cloudApplications,
  make: ({ name, description = "", urls }, { cid, now }) => ({
    id: newIdentifier(),
    cid,
    name,
    description,
    app_tier: "custom",
    supports_network_inspection: false,
    urls,
    deleted: false,
    created: now.toISOString(),
    last_updated: now.toISOString(),
  }),
  change: (application, { name, description, urls }, { now }) => ({
    ...application,
    ...defined({ name, description, urls }),
    last_updated: now.toISOString(),
  }),
  retire: (application, now) => ({
    ...application,
    deleted: true,
    last_updated: now.toISOString(),
  }),
  problems: ({ at, after }) => addressProblems(after.urls, `${at}.urls`),
};
