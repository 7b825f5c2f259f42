import type { Profiles } from "./profiles.ts";

/** Browsers and workers have no files. */
export const profiles: Profiles = { file: undefined, read: () => undefined };
