import type { Store } from "../store/index.ts";
import type { JobKind } from "./job-kind.ts";

/** Removes versions of records that no reader can see any longer. */
export const sweepStore = (store: Store): JobKind => ({
  name: "records.sweep",
  everyMilliseconds: 5 * 60_000,
  run: async ({ now, signal }) => {
    const swept = await store.sweep(now, signal);
    return { commit: async () => ({ ...swept }) };
  },
});
