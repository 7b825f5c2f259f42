import type { Store } from "../store/index.ts";
import type { JobKind } from "./job-kind.ts";

/** Deletes kept responses to idempotency keys whose 24 hours are over. */
export const purgeRequests = (store: Store): JobKind => ({
  name: "requests.purge",
  everyMilliseconds: 60 * 60_000,
  run: async ({ now }) => {
    const requests = await store.requests.purge(now);
    return { commit: async () => ({ requests }) };
  },
});
