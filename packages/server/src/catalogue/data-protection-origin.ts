import { platformCid } from "../store/types.ts";
import { catalogueId } from "./entries.ts";

/** The version of the catalogue that brought the first records of data protection. */
export const dataProtectionSince = 2;

/** When that was. Predefined records say it, as they are the same in every tenant. */
const added = "2025-11-03T07:00:00.000Z";

export const addedAt = { created: added, last_updated: added } as const;

/** The id of a predefined record, the same in every tenant. */
export const predefinedId = (kind: string, name: string): string =>
  catalogueId(platformCid, "data_protection", `${kind}/${name}`);
