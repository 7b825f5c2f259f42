/** What every tenant starts with. */
import type { Clock } from "../clock.ts";
import type { Store, Tenant } from "../store/types.ts";
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
import type { CatalogueEntry } from "./entries.ts";
import { defaultPolicies } from "./prevention-policies.ts";
import { createProvisioned, provision } from "./provision.ts";

/** Every kind of record of the catalogue. One list for all versions. */
export const catalogue: readonly CatalogueEntry[] = [
  defaultPolicies,
  predefinedContentPatterns,
  predefinedFileTypes,
  predefinedCloudApplications,
  predefinedWebLocations,
  predefinedWebLocationGroups,
  firstLocalApplications,
  firstLocalApplicationGroups,
  defaultDataProtectionPolicies,
];

/** The newest version that any entry of the catalogue came with. */
export const catalogueVersion = Math.max(0, ...catalogue.map(({ since }) => since));

/** Makes a tenant that has the catalogue's records. The only way to make one. */
export const createTenant = (store: Store, clock: Clock, tenant: Tenant): Promise<void> =>
  createProvisioned({ store, clock, catalogue }, tenant);

/** At server start: gives tenants what they lack of the catalogue, also after a crash in `createTenant`. */
export const provisionTenants = (store: Store, clock: Clock): Promise<void> =>
  provision({ store, clock, catalogue });
