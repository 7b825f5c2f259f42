/** What every tenant starts with, and what the platform shows to every tenant. */
import type { Clock } from "../foundation/clock.ts";
import type { Store, Tenant } from "../store/index.ts";
import { knownAdvisories } from "./advisories/index.ts";
import { predefinedCloudApplications } from "./data-protection-cloud-applications.ts";
import { predefinedContentPatterns } from "./data-protection-content-patterns.ts";
import { defaultDataProtectionPolicies } from "./data-protection-policies.ts";
import { predefinedFileTypes } from "./data-protection-file-types.ts";
import {
  firstLocalApplicationGroups,
  firstLocalApplications,
} from "./data-protection-local-applications.ts";
import {
  predefinedWebLocationGroups,
  predefinedWebLocations,
} from "./data-protection-web-locations.ts";
import type { Catalogue } from "./entries.ts";
import { defaultPolicies } from "./prevention-policies.ts";
import { createProvisioned, provision } from "./provision.ts";

/** Every kind of record of the catalogue. */
const catalogue: Catalogue = {
  tenants: [
    defaultPolicies,
    firstLocalApplications,
    firstLocalApplicationGroups,
    defaultDataProtectionPolicies,
  ],
  shared: [
    predefinedContentPatterns,
    predefinedFileTypes,
    predefinedCloudApplications,
    predefinedWebLocations,
    predefinedWebLocationGroups,
    knownAdvisories,
  ],
  sharedSince: 3,
  sharedVersion: 4,
};

/** Creates a tenant that has the catalogue's records. The only way to create one. */
export const createTenant = (store: Store, clock: Clock, tenant: Tenant): Promise<void> =>
  createProvisioned({ store, clock, catalogue }, tenant);

/** Adds the missing records of the catalogue to the platform and to tenants. Runs at the start of a server. */
export const provisionTenants = (store: Store, clock: Clock): Promise<void> =>
  provision({ store, clock, catalogue });
