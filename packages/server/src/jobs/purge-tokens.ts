import type { Store } from "../store/index.ts";
import type { JobKind } from "./job-kind.ts";

/** Time for which a request with an expired token gets the error "expired". After it, the error is "unknown". */
const keptMilliseconds = 60 * 60_000;

/** Deletes access tokens that expired more than an hour ago. */
export const purgeTokens = (store: Store): JobKind => ({
  name: "tokens.purge",
  everyMilliseconds: 15 * 60_000,
  run: async ({ now }) => {
    const expiredBefore = new Date(now.getTime() - keptMilliseconds).toISOString();
    const tokens = await store.directory.purgeTokens(expiredBefore);
    return { commit: async () => ({ tokens }) };
  },
});
