import { platformCid } from "../store/index.ts";
import { catalogueId } from "./entries.ts";

/** The version of the catalogue that introduced the first records of data protection. */
export const dataProtectionSince = 2;

/** The date of that version. All predefined records have it, as they are the same in every tenant. */
const added = "2025-11-03T07:00:00.000Z";

export const addedAt = { created: added, last_updated: added } as const;

/** The id of a predefined record, the same in every tenant. */
export const predefinedId = (kind: string, name: string): string =>
  catalogueId(platformCid, "data_protection", `${kind}/${name}`);
