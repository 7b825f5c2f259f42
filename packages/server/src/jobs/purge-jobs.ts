import type { Store } from "../store/index.ts";
import type { JobKind } from "./job-kind.ts";

/** Deletes ended jobs whose retention is over. */
export const purgeJobs = (store: Store): JobKind => ({
  name: "jobs.purge",
  everyMilliseconds: 60 * 60_000,
  run: async ({ now }) => {
    const jobs = await store.jobs.purge(now);
    return { commit: async () => ({ jobs }) };
  },
});
